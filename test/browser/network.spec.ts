import type { Page } from '@playwright/test'
import { createNetwork, type Network } from '@tidenet/testnet'
import { texts as homeEn } from '../../apps/web/src/features/home/texts.en.ts'
import { texts as homeZh } from '../../apps/web/src/features/home/texts.zh.ts'
import { texts as networkEn } from '../../apps/web/src/features/network/texts.en.ts'
import { texts as networkZh } from '../../apps/web/src/features/network/texts.zh.ts'
import { texts as mapEn } from '../../apps/web/src/ui/world-map-texts.en.ts'
import { texts as mapZh } from '../../apps/web/src/ui/world-map-texts.zh.ts'
import { accessibilityViolations, data, expect, long, test, uploadTo, type View, viewsFor } from './test-env.ts'

const textsOf = (lang: 'en' | 'zh') =>
  lang === 'en' ? { home: homeEn, network: networkEn, map: mapEn } : { home: homeZh, network: networkZh, map: mapZh }

/** A distinct file size per view, so that tests find their own transfers: `head` thousand and some bytes. */
const sized = (view: View, head: number) => {
  const size = (head + (view.lang === 'en' ? 0 : 200)) * 1000 + 321
  return { size, told: `${(Number(size.toPrecision(2)) / 1024).toFixed(1)} KiB` }
}

/** Another visitor uploads a file anonymously. */
async function leave(other: Page, address: string, path: string): Promise<void> {
  await other.goto(address)
  const chooser = other.waitForEvent('filechooser')
  await other.locator('input[type=file]').first().locator('xpath=..').getByRole('button').click()
  await (await chooser).setFiles(path)
}

interface Drawn {
  /** Dots and rings at destinations. */
  dots: number
  /** Animation time of each dot along its arc; milliseconds. */
  travels: number[]
}

/** Records short-lived drawings on the map. @returns the recorded drawings */
async function watchMap(page: Page): Promise<() => Promise<Drawn>> {
  await page.evaluate(() => {
    const drawn: Drawn = { dots: 0, travels: [] }
    Object.assign(window, { drawn })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof SVGElement)) continue
        drawn.dots += node.querySelectorAll('circle.map-trail').length
        for (const path of node.querySelectorAll('.map-travel'))
          for (const { effect } of path.getAnimations()) drawn.travels.push(Number(effect?.getTiming().duration))
      }
    }).observe(document.body, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { drawn: Drawn }).drawn)
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { home, network } = textsOf(view.lang)

    test('each figure of the home page links to its source', async ({ page, at }) => {
      await page.goto(at('/'))
      const figures = page.getByRole('region', { name: home.figures.title })
      const links = figures.getByRole('link')
      await expect(links).toHaveCount(8)
      for (const href of await links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))) {
        await page.goto(at(href))
        await expect(page.locator(new URL(href, at('/')).hash)).toBeVisible()
      }
    })

    test('the linked page shows the same number of active wallets', async ({ page, at }) => {
      // Again if another test has added a wallet meanwhile.
      await expect(async () => {
        await page.goto(at('/'))
        const figure = page.getByRole('link', { name: home.figures.wallets })
        await expect(figure.locator('span').first()).toHaveText(/^\d+$/)
        const count = (await figure.locator('span').first().textContent()) ?? ''
        await figure.click()
        await expect(page).toHaveURL(/#figures$/)
        const cell = page.locator('#figures dl > div', { hasText: network.figures.wallets })
        await expect(cell.locator('dd').first()).toHaveText(count, { timeout: 3000 })
      }).toPass()
    })

    test('shows a live upload on the map and in the list', async ({ page, at, visitor, file }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await page.goto(at('/'))
      await expect(page.getByText(home.map.live, { exact: true })).toBeVisible()
      const drawn = await watchMap(page)
      const other = await visitor()
      const { size, told } = sized(view, 110)
      await leave(other, at('/'), file('seen.bin', size).path)
      const list = page.getByRole('region', { name: home.moves.title })
      await expect(list.getByText(told).first()).toBeVisible({ timeout: 30_000 })
      // Replication between nodes is drawn too.
      await expect.poll(async () => (await drawn()).travels.length, { timeout: 30_000 }).toBeGreaterThan(0)
      expect(Math.min(...(await drawn()).travels)).toBeGreaterThan(500)
      await page.getByRole('link', { name: home.moves.all }).click()
      await expect(page.locator('#transfers').getByText(told).first()).toBeVisible()
    })

    test('selects and opens a node on the map by keyboard', async ({ page, at }) => {
      await page.goto(at('/storagenetwork'))
      const stops = page.locator('[data-stop]')
      await expect(stops.first()).toBeVisible()
      await stops.and(page.locator('[tabindex="0"]')).focus()
      const before = await page.evaluate(() => document.activeElement?.getAttribute('data-stop'))
      await page.keyboard.press('ArrowRight')
      const after = await page.evaluate(() => document.activeElement?.getAttribute('data-stop'))
      expect(after).not.toBe(before)
      // A number is a cluster of nodes and opens a list first.
      await page.keyboard.press('Enter')
      const chosen = page.getByRole('region', { name: network.chosen })
      const list = page.locator('figure').getByRole('listitem').getByRole('button')
      await expect(chosen.or(list.first()).first()).toBeVisible()
      if (await list.first().isVisible()) await list.first().click()
      await expect(chosen.getByText(network.registered, { exact: true })).toBeVisible()
      await expect(page).toHaveURL(/\?node=/)
    })

    test('filters nodes by kind and state, and opens one', { tag: '@long' }, async ({ page, at }) => {
      await page.goto(at('/storagenetwork'))
      const nodes = page.locator('#nodes')
      await expect(nodes.getByRole('rowheader')).not.toHaveCount(0)
      await nodes.getByLabel(network.type, { exact: true }).selectOption({ label: network.types[2]! })
      await expect(nodes.getByRole('rowheader')).toHaveCount(1)
      await nodes.getByRole('button', { name: network.details('validator-1') }).click()
      await expect(nodes.getByText(network.id, { exact: true })).toBeVisible()
      await nodes.getByLabel(network.status, { exact: true }).selectOption({ label: network.states.abnormal })
      await expect(nodes.getByText(network.noNodes)).toBeVisible()
    })

    test('lists the account’s replicas by area and by file; visitors see none', { tag: '@long' }, async ({
      page,
      at,
      t,
      user,
      signIn,
      file,
      visitor,
    }) => {
      await signIn(page, user)
      await page.goto(at('/distribution'))
      await expect(page.getByText(network.distribution.none)).toBeVisible()
      await page.goto(at('/fileStorage'))
      await uploadTo(page, t, 'files', file('buoy.bin', 50_000).path)
      await expect(async () => {
        const { copies } = await data<{ copies: number }>('assets.areas', {}, user.token)
        expect(copies).toBeGreaterThan(1)
      }).toPass({ timeout: 40_000 })
      await page.goto(at('/distribution'))
      await expect(page.locator('#own-areas').getByRole('listitem')).not.toHaveCount(0)
      await page.getByLabel(network.distribution.file, { exact: true }).selectOption({ label: 'buoy.bin' })
      await expect(page.locator('[data-stop]').first()).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      const other = await visitor()
      await other.goto(at('/distribution'))
      await expect(other.getByRole('heading', { name: network.distribution.allTitle })).toBeVisible()
      await expect(other.getByRole('main').getByRole('link', { name: network.distribution.signIn })).toBeVisible()
      await expect(other.getByText(network.distribution.mine, { exact: true })).toHaveCount(0)
    })

    test('with reduced motion, a dot and the list show the transfer', { tag: '@long' }, async ({
      page,
      at,
      visitor,
      file,
    }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(at('/'))
      await expect(page.getByText(home.map.live, { exact: true })).toBeVisible()
      const drawn = await watchMap(page)
      const other = await visitor()
      const { size, told } = sized(view, 250)
      await leave(other, at('/'), file('still.bin', size).path)
      await expect(page.getByRole('region', { name: home.moves.title }).getByText(told).first()).toBeVisible({
        timeout: 30_000,
      })
      await expect.poll(async () => (await drawn()).dots, { timeout: 30_000 }).toBeGreaterThan(0)
      expect(Math.max(0, ...(await drawn()).travels)).toBeLessThan(1)
    })

    test('shows nothing for an unknown node', async ({ page, at }) => {
      await page.goto(at('/storagenetwork?node=e_00000000-0000-0000-0000-000000000000'))
      await expect(page.getByText(network.nodeUnknown)).toBeVisible()
    })
  })

test.describe('on a network of its own', () => {
  const { home, map } = textsOf('en')
  let own: Network
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    own = await createNetwork({
      nodes: [
        { kind: 'candidate', name: 'quay' },
        { kind: 'edge', name: 'pier', area: 'Europe-Germany-Hesse-Frankfurt' },
      ],
      // Test mode notices a stopped node within 12 s instead of 90 s.
      mode: long ? 'development' : 'test',
      databaseSettings: { fsync: 'off', full_page_writes: 'off' },
    })
  })
  test.afterAll(() => own?.stop())

  test('counts a new node within a minute and greys out a stopped one', { tag: '@long' }, async ({ page, context }) => {
    test.setTimeout(240_000)
    await context.addCookies([{ name: 'lang', value: 'en', url: own.url }])
    await page.goto(`${own.url}/`)
    const online = page.getByText(home.map.online('2'), { exact: true })
    await expect(online).toBeVisible()
    const berth = await own.addNode({
      kind: 'edge',
      name: 'berth',
      area: 'SouthAmerica-Brazil-SaoPaulo-SaoPaulo',
      lat: -23.55,
      lng: -46.63,
    })
    await expect(page.getByText(home.map.online('3'), { exact: true })).toBeVisible({ timeout: 60_000 })
    const mark = page.getByRole('button', { name: new RegExp(`Sao Paulo.*${map.status.online}`) })
    await expect(mark).toBeVisible({ timeout: 20_000 })

    await berth.process.stop()
    await expect(page.getByRole('button', { name: new RegExp(`Sao Paulo.*${map.status.offline}`) })).toBeVisible({
      timeout: 150_000,
    })
    await expect(online).toBeVisible()
  })
})
