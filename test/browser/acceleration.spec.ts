import { ACCELERATION_SAMPLES_MIN } from '@tidenet/contract'
import { createStorage } from '@tidenet/storage'
import { createNetwork, freePort, type Network } from '@tidenet/testnet'
import pg from 'pg'
import { texts as en } from '../../apps/web/src/features/acceleration/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/acceleration/texts.zh.ts'
import { type DelayingProxy, openDelayingProxy } from '../network/delaying-proxy.ts'
import {
  accessibilityViolations,
  act,
  data,
  expect,
  filesWords,
  overflows,
  type TestUser,
  test,
  viewsFor,
} from './test-env.ts'

/** Nodes in Germany behind proxies that delay, and readers in Japan, in a network of its own: others have no regions. */

const DELAY = 120
let network: Network
let far: DelayingProxy[] = []
const shared = process.env.TIDENET_URL
test.beforeAll(async () => {
  test.setTimeout(120_000)
  const ports = [await freePort(), await freePort(), await freePort()]
  far = await Promise.all(ports.map((port) => openDelayingProxy({ host: '127.0.0.1', port }, DELAY)))
  network = await createNetwork({
    env: { TIDENET_REPLICAS: '3', TIDENET_TRUST_PROXY: '127.0.0.1' },
    nodes: ports.map((port, index) => ({
      kind: 'candidate',
      area: 'Europe-Germany-Hesse-Frankfurt',
      port,
      url: `http://127.0.0.1:${far[index]?.port}`,
    })),
  })
  process.env.TIDENET_URL = network.url
})
test.afterAll(async () => {
  if (shared === undefined) delete process.env.TIDENET_URL
  else process.env.TIDENET_URL = shared
  await network?.stop()
  for (const proxy of far) proxy.close()
})

/** The SDK of the owner at an address in Japan. */
const storageAt = (user: TestUser, reader: number) =>
  createStorage({
    url: network.url,
    token: user.token,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', `133.11.0.${reader}`)
      return fetch(input, { ...init, headers })
    },
  })

async function makeVip({ uid }: TestUser): Promise<void> {
  const database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  await database.query('update users set vip = true where uid = $1', [uid])
  await database.end()
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? zh : en

    test('a file gets copies near its readers, and its page shows the time before and after', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      test.setTimeout(120_000)
      const uploaded = await storageAt(user, 1).uploadAsset(new Uint8Array(300_000).fill(view.width % 256), {
        name: 'far.bin',
      })
      const { cid } = uploaded.data as { cid: string }
      const copies = async () =>
        (await data<{ list: { state: string }[] }>('assets.replicas', { cid }, user.token)).list.filter(
          ({ state }) => state === 'stored',
        ).length
      await expect.poll(copies, { timeout: 30_000 }).toBe(3)
      if (network.nodes.length === 3)
        for (let node = 0; node < 2; node++)
          await network.addNode({ kind: 'candidate', area: 'Asia-Japan-Tokyo-Tokyo' })
      const download = async (from: number) => {
        for (let reader = from; reader < from + ACCELERATION_SAMPLES_MIN; reader++)
          await storageAt(user, reader).downloadAsset({ assetCid: cid, to: 'blob' })
      }

      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'far.bin', filesWords(t).files.details)
      const section = page.getByRole('dialog').getByRole('region', { name: w.title })
      await expect(section.getByText(w.notIncluded)).toBeVisible()
      await expect(section.getByRole('link', { name: w.toPlans })).toBeVisible()
      await expect(section.getByRole('switch')).toHaveCount(0)

      await makeVip(user)
      await download(10)
      await page.reload()
      await act(page, t, 'far.bin', filesWords(t).files.details)
      const toggle = section.getByRole('switch', { name: w.title })
      await expect(toggle).not.toBeChecked()
      const words = section.getByText(w.firstByte(view.lang === 'zh' ? '日本' : 'Japan')).first()
      await expect(words).toBeVisible()
      await toggle.click()
      await expect(toggle).toBeChecked()
      await expect(section.getByText(w.activeIn(view.lang === 'zh' ? '日本' : 'Japan'))).toBeVisible({
        timeout: 20_000,
      })
      await expect(section.getByText(w.copiesOf(2, 2))).toBeVisible()
      await expect.poll(copies).toBe(5)

      await download(30)
      await page.reload()
      await act(page, t, 'far.bin', filesWords(t).files.details)
      const samples = ACCELERATION_SAMPLES_MIN
      await expect(section.getByText(w.basedOn(samples, samples))).toBeVisible({ timeout: 20_000 })
      const chart = section.getByRole('img', { name: w.chart(view.lang === 'zh' ? '日本' : 'Japan', 2) })
      await expect(chart).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      const folder = process.env.TIDENET_SCREENSHOTS
      if (folder) {
        await section.scrollIntoViewIfNeeded()
        await page.screenshot({ path: `${folder}/acceleration-${view.width}.png` })
        await chart.scrollIntoViewIfNeeded()
        await page.screenshot({ path: `${folder}/acceleration-${view.width}-chart.png` })
        await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
        await page.screenshot({ path: `${folder}/acceleration-${view.width}-dark.png` })
      }

      // An area without nodes near it is not offered; one with nodes gets copies before anybody reads there.
      await section.getByRole('checkbox', { name: view.lang === 'zh' ? '德国' : 'Germany' }).click()
      await expect(section.getByText(w.cause.expected)).toBeVisible()
      await toggle.click()
      await expect(toggle).not.toBeChecked()
      await expect.poll(copies, { timeout: 20_000 }).toBe(3)
    })

    test('a folder is accelerated with what is in it', { tag: '@long' }, async ({ page, user, signIn, at, t }) => {
      const files = filesWords(t)
      await makeVip(user)
      const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'site' }, user.token)
      await storageAt(user, 1).uploadAsset(new Uint8Array(1000).fill(7 + (view.width % 200)), {
        name: 'inside.bin',
        groupId: group.ID,
      })
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'site', files.files.details)
      const section = page.getByRole('dialog').getByRole('region', { name: w.title })
      await section.getByRole('switch', { name: w.title }).click()
      await expect(section.getByRole('switch', { name: w.title })).toBeChecked()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.goto(at(`/fileStorage?folder=${group.ID}`))
      await act(page, t, 'inside.bin', filesWords(t).files.details)
      await expect(section.getByText(w.through('site'))).toBeVisible()
      await expect(section.getByRole('switch')).toHaveCount(0)
    })
  })
