import type { Page } from '@playwright/test'
import { createNetwork, type Network } from '@tidenet/testnet'
import pg from 'pg'
import { texts as keptEn } from '../../apps/web/src/features/workspaces/kept-texts.en.ts'
import { texts as keptZh } from '../../apps/web/src/features/workspaces/kept-texts.zh.ts'
import { texts as consoleEn } from '../../apps/web/src/features/workspaces/texts.en.ts'
import { texts as consoleZh } from '../../apps/web/src/features/workspaces/texts.zh.ts'
import { buildFixture } from '../../tools/load-fixture.mjs'
import { dialog, expectToast, linkFundedWallet, ordersOf, ordersWords } from './order-helpers.ts'
import { savedClaims } from './receipt-helpers.ts'
import { accessibilityViolations, data, expect, type TestUser, test, viewsFor } from './test-env.ts'

// These tests move the clock by days, so they use their own network.
let network: Network
let others: string | undefined
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  others = process.env.TIDENET_URL
  const driver = await buildFixture('apps/server/src/compute/clusters/sample-driver.fixture.ts')
  network = await createNetwork({
    nodes: 1,
    mode: 'development',
    chain: { blockMs: 500 },
    env: { NODE_OPTIONS: `--import ${new URL(`sample-cluster.mjs?driver=${driver}`, import.meta.url).href}` },
  })
  process.env.TIDENET_URL = network.url
})
test.afterAll(async () => {
  process.env.TIDENET_URL = others
  await network?.stop()
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SLOW = { timeout: 45_000 }

interface Details {
  order: { status: number; workspace_id: string }
  timeline: { event: string }[]
}
interface Notices {
  list: { kind: string; text: string; order_id: string }[]
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o, w } = ordersWords(view)
    const [c, k] = view.lang === 'zh' ? [consoleZh, keptZh] : [consoleEn, keptEn]

    test('an order is paid back for outages, announces its end, is kept, restored by paying again, and deleted when nobody pays', {
      tag: '@long',
    }, async ({ page, context, user, signIn, at }) => {
      test.setTimeout(300_000)
      await linkFundedWallet(context, user)
      /** Sessions end while days pass. */
      const again = async (): Promise<TestUser> => {
        const { email: username, password } = user
        return { ...user, ...(await data<{ token: string }>('accounts.login', { username, password })) }
      }
      let me = user
      const noticesOf = async (id: string) =>
        (await data<Notices>('orders.notices', {}, me.token)).list.filter(({ order_id }) => order_id === id)
      const kindsOf = async (id: string) => (await noticesOf(id)).map(({ kind }) => kind)
      const mails = async () => {
        const answer = await fetch(`${network.url}/dev/mailbox.json?to=${encodeURIComponent(user.email)}`)
        return ((await answer.json()) as { mails: { text: string }[] }).mails.map(({ text }) => text)
      }
      const details = (id: string) => data<Details>('orders.details', { id }, me.token)
      /** The workspace of the order in the container console, which has a session of its own. */
      const openConsole = async (workspace: string) => {
        const { url } = await data<{ url: string }>('clusters.ticket', {}, me.token)
        await page.goto(at(new URL(url).pathname + new URL(url).search))
        await expect(page.getByRole('heading', { name: c.spaces.title })).toBeVisible()
        await page.getByRole('link', { name: new RegExp(`^${c.spaces.open}`) }).click()
        await expect(page).toHaveURL(new RegExp(workspace))
      }
      let passed = 0
      const chainTime = async () => {
        const status = await fetch(`${network.chain?.url}/status`)
        const { result } = (await status.json()) as { result: { sync_info: { latest_block_time: string } } }
        return Date.parse(result.sync_info.latest_block_time)
      }
      const pass = async (ms: number) => {
        passed += ms
        await network.moveClock(ms)
        await expect.poll(chainTime, SLOW).toBeGreaterThan(Date.now() + passed - MINUTE)
        // The server may have looked before the chain's next block; then it looks again within ten minutes.
        passed += 11 * MINUTE
        await network.moveClock(11 * MINUTE)
        me = await again()
        await signIn(page, me)
      }
      /** The notice is on the page of orders, and was sent by e-mail. */
      const isTold = async (kind: string, id: string) => {
        await expect.poll(() => kindsOf(id), SLOW).toContain(kind)
        await page.goto(at('/mycenter?tab=1'))
        const told = await noticesOf(id)
        // Calls of this test are answered in English.
        const hasText = view.lang === 'en' ? (told.find((each) => each.kind === kind)?.text ?? '') : /./
        await expect(page.locator(`a[href$="${id}"]`).filter({ hasText }).first()).toBeVisible()
        const about = async () => (await mails()).filter((mail) => mail.includes(id)).length
        await expect.poll(about, SLOW).toBe(told.length)
      }
      const sign = (p: Page) =>
        dialog(p)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
      const row = (label: string) => page.getByRole('article').filter({ hasText: label }).first()

      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      const field = page.getByLabel(o.exact(o.names.duration), { exact: true })
      await field.fill('2')
      await field.press('Enter')
      await page.getByRole('button', { name: o.buy.now }).click()
      await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
      await sign(page)
      await expectToast(page, o.done.created)
      await expect.poll(async () => (await ordersOf(me))[0]?.status, SLOW).toBe(2)
      const id = (await ordersOf(me))[0]?.id ?? ''

      await test.step('an outage is paid back, with its receipt, in the timeline', async () => {
        // As two probes recorded it; the stand-in for a cluster always answers.
        const client = new pg.Client({ connectionString: network.databaseUrl })
        await client.connect()
        await client.query(
          `insert into workspace_outages (workspace_id, cause, from_at, to_at, probes, state)
          select id, 'cluster', started_at, started_at + interval '10 minutes', 20, 'over' from orders where id = $1`,
          [id],
        )
        await client.end()
        await page.goto(at(`/mycenter?tab=1&order=${id}`))
        const outages = page.getByRole('region', { name: o.details.outages })
        await expect(async () => {
          await page.reload()
          await expect(outages).toContainText(o.coin('11.66', 'cTNT'), { timeout: 2000 })
          await expect(page.getByText(o.events.credited)).toBeVisible({ timeout: 1000 })
        }).toPass(SLOW)
        await expect(outages.getByRole('link')).toHaveAttribute('href', /\/chain\/tx\//)
        expect(await savedClaims(page, outages.getByRole('button'))).toMatchObject({ kind: 'outage', order: id })
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await test.step('the console says what will be kept, and how long', async () => {
        await openConsole(id)
        await expect(page.getByText(k.atEnd)).toBeVisible()
        await expect(page.getByText(k.title)).toHaveCount(0)
      })

      await test.step('an hour before its end its owner is told', async () => {
        await pass(70 * MINUTE)
        await isTold('endsInAnHour', id)
        await expect(row(o.labels.running)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await test.step('at its end the workspace stops and is kept', async () => {
        await pass(HOUR)
        await isTold('expired', id)
        await page.goto(at(`/mycenter?tab=1&order=${id}`))
        await expect(page.getByText(o.events.workspaceKept)).toBeVisible()
        await expect(page.getByText(o.details.keptUntil)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await test.step('the console shows what is kept and until when, and leads to the order', async () => {
        await openConsole(id)
        await expect(page.getByText(k.title)).toBeVisible()
        const kept = page.getByRole('listitem').filter({ hasText: k.disk('').trim() })
        await expect(kept).toContainText('machine')
        // About 72 hours; the clock of the browser is behind.
        await expect(page.getByRole('timer')).toHaveText(/^7\d:/)
        await expect(page.getByRole('button', { name: c.one.start })).toHaveCount(0)
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('link', { name: k.restore }).click()
        await expect(page.getByText(id, { exact: true })).toBeVisible()
        await expect(page.getByText(o.details.keptUntil)).toBeVisible()
      })

      await test.step('its owner is told a day before it is deleted', async () => {
        await pass(50 * HOUR)
        await isTold('deletedInADay', id)
      })

      let restored = ''
      await test.step('paying again restores the workspace', async () => {
        await row(o.labels.expired).getByRole('button', { name: o.actions.rebuy, exact: true }).click()
        // The wallet is asked again, because the page is new.
        const choose = page.getByRole('button', { name: w.dialog.use('Keplr') })
        await expect(choose.or(dialog(page).getByRole('button', { name: o.pay.sign('Keplr') }))).toBeVisible()
        if (await choose.isVisible()) await choose.click()
        await sign(page)
        await expect.poll(async () => (await ordersOf(me))[0]?.status, SLOW).toBe(2)
        restored = (await ordersOf(me))[0]?.id ?? ''
        expect(restored).not.toBe(id)
        expect((await details(restored)).order.workspace_id).toBe(id)
        await openConsole(id)
        await expect(page.getByText(c.state.running, { exact: true })).toBeVisible()
        await expect(page.getByText(k.title)).toHaveCount(0)
      })

      await test.step('without another payment it is deleted 72 hours after its end, and not before', async () => {
        await pass(2 * HOUR + MINUTE)
        await isTold('expired', restored)
        await pass(71 * HOUR)
        await expect.poll(() => kindsOf(restored), SLOW).toContain('deletedInADay')
        expect((await details(restored)).timeline.map(({ event }) => event)).not.toContain('workspaceRemoved')
        await pass(2 * HOUR)
        await isTold('deleted', restored)
        await page.goto(at(`/mycenter?tab=1&order=${restored}`))
        await expect(page.getByText(o.events.workspaceRemoved)).toBeVisible()
        await expect(page.getByText(o.details.keptUntil)).toHaveCount(0)
      })
    })
  })
