import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, journeys, test } from './world.ts'

/** Kilobytes of scripts, packed, that a page asks for until it has come to rest. */
async function scripts(page: Page, address: string): Promise<{ total: number; files: string[] }> {
  const bodies: Promise<{ name: string; bytes: Buffer }>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/\.js$/.test(pathname)) bodies.push(response.body().then((bytes) => ({ name: pathname, bytes })))
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  const files = (await Promise.all(bodies)).map(({ name, bytes }) => ({
    name,
    size: gzipSync(bytes, { level: 9 }).length / 1000,
  }))
  return {
    total: files.reduce((sum, { size }) => sum + size, 0),
    files: files.sort((a, b) => b.size - a.size).map(({ name, size }) => `${size.toFixed(1)} ${name}`),
  }
}

// React and the router weigh 93 of it.
for (const view of journeys('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    // Chinese names of areas are a list, English ones follow from their ids.
    test('the home page comes with at most 120 kB of scripts', async ({ page, at }) => {
      const { total, files } = await scripts(page, at('/'))
      expect(total, files.join('\n')).toBeLessThanOrEqual(120)
    })
  })

// The operator's links stand in it as well, which this network has.
test('the console comes with at most 200 kB of scripts', async ({ page, at, person, signIn }) => {
  await signIn(page, person)
  const { total, files } = await scripts(page, at('/dashboard'))
  expect(total, files.join('\n')).toBeLessThanOrEqual(200)
})
