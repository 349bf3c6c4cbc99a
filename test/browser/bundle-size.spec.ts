import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { expect, test, viewsFor } from './test-env.ts'

/** Compressed kilobytes of scripts that a page loads until it is idle. */
async function scripts(page: Page, address: string): Promise<{ total: number; files: string[] }> {
  const bodies: Promise<{ name: string; bytes: Buffer }>[] = []
  const collect = (response: Response) => {
    const { pathname } = new URL(response.url())
    if (/\.js$/.test(pathname)) bodies.push(response.body().then((bytes) => ({ name: pathname, bytes })))
  }
  page.on('response', collect)
  await page.goto(address, { waitUntil: 'networkidle' })
  // What loads later has no body any more when the test ends.
  page.off('response', collect)
  const files = (await Promise.all(bodies)).map(({ name, bytes }) => ({
    name,
    size: gzipSync(bytes, { level: 9 }).length / 1000,
  }))
  return {
    total: files.reduce((sum, { size }) => sum + size, 0),
    files: files.sort((a, b) => b.size - a.size).map(({ name, size }) => `${size.toFixed(1)} ${name}`),
  }
}

// React and the router are 85 kB of it.
for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    // Chinese needs a list of area names; English names derive from the ids.
    test('the home page loads at most 120 kB of scripts', async ({ page, at }) => {
      const { total, files } = await scripts(page, at('/'))
      expect(total, files.join('\n')).toBeLessThanOrEqual(120)
    })
  })

// Includes the operator's links, which this network configures.
test('the console loads at most 205 kB of scripts', async ({ page, at, user, signIn }) => {
  await signIn(page, user)
  const { total, files } = await scripts(page, at('/dashboard'))
  expect(total, files.join('\n')).toBeLessThanOrEqual(205)
})

// Each script costs a round trip, and a phone with HTTP/1.1 has six connections. Shared code belongs into the groups of chunk-groups.ts.
for (const [address, most] of [
  ['/dashboard', 40],
  ['/fileStorage', 55],
] as const)
  test(`${address} loads at most ${most} scripts`, async ({ page, at, user, signIn }) => {
    await signIn(page, user)
    const { files } = await scripts(page, at(address))
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(most)
  })
