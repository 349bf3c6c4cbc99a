import type { Page } from '@playwright/test'
import { texts as downloads } from '../../apps/web/src/features/download/texts.en.ts'
import { expect, test } from './test-env.ts'

/** Network data on pages: figures, states, targets, offers and prices. */
const SHOWN: Readonly<Record<string, string>> = {
  '/': 'section[aria-labelledby=figures] li a > span:first-child, [data-state], #aims [data-metric]:has(a)',
  '/storagenetwork': '#figures dd:nth-of-type(1)',
  '/services': '#table [data-state], [data-metric]:has(a), tr:has([href^="/tc2"]) td:nth-of-type(3)',
  '/pricing': '[data-sold] li p:last-child, #calculator [aria-live], #calculator td',
}
const MEASURED = /\/api\/v1\/(network\/figures|portal\/services|platform\/order\/offers)/

/** A program in the release list. */
const CLI = {
  kind: 'cli',
  version: '1',
  platform: 'any',
  needs: 'Node.js',
  file: 'cli.tgz',
  size: 1,
  sha256: '0',
  date: '2026-01-01',
  url: '/',
  notes: '',
}

/** The same response with every value changed. */
function otherwise(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => otherwise(each, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, otherwise(each, name)]))
  if (key === 'uptime') return 0.1234
  if (key === 'testnet' || key === 'code' || key === 'decimals') return value
  if (typeof value === 'number') return value * 2 + 4321
  if (typeof value === 'boolean') return !value
  if (key === 'state') return value === 'available' ? 'planned' : 'available'
  return value
}

async function shownOn(page: Page, selector: string): Promise<string[]> {
  // Sections further down load on scrolling.
  await expect(async () => {
    await page.mouse.wheel(0, 400)
    await expect(page.locator('[data-state=checking]')).toHaveCount(0, { timeout: 1000 })
  }).toPass()
  const all = page.locator(selector)
  await expect(async () => {
    const texts = await all.allInnerTexts()
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.filter((text) => text === '–' || text === '')).toEqual([])
  }).toPass()
  return all.allInnerTexts()
}

test.describe('figures and states', () => {
  for (const [path, selector] of Object.entries(SHOWN))
    test(`of ${path} match the server’s data`, { tag: path === '/' ? [] : '@long' }, async ({ page, at, expected }) => {
      await page.goto(at(path))
      const real = await shownOn(page, selector)
      await page.route(MEASURED, async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: otherwise(await answer.json()) })
      })
      expected.push(/net::ERR_FAILED/)
      // The live node count would overwrite the changed one.
      await page.route('**/api/v1/network/events', (route) => route.abort())
      await page.reload()
      await expect(async () => {
        const changed = await shownOn(page, selector)
        expect(changed.filter((text, index) => text === real[index])).toEqual([])
      }).toPass()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })

  test('of /download match the known programs and networks', async ({ page, at }) => {
    await page.goto(at('/download'))
    const badges = page.locator('#devices li').first().locator('p:has(> span) > span:last-child')
    const shown = async () => {
      await expect(badges).toHaveCount(2)
      await expect(badges.filter({ hasText: downloads.states.checking })).toHaveCount(0)
      return badges.allInnerTexts()
    }
    const real = await shown()
    await page.route(/\/api\/v1\/portal\/(services|releases)/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      for (const network of body.data.networks ?? []) network.url = network.url === '' ? 'http://testnet3.example' : ''
      if (body.data.list.every(({ file }: { file?: string }) => file))
        body.data.list = body.data.list.length ? [] : [CLI]
      await route.fulfill({ response: answer, json: body })
    })
    await page.reload()
    await expect(async () => {
      const changed = await shown()
      expect(changed.filter((text, index) => text === real[index])).toEqual([])
    }).toPass()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
