import type { Page } from '@playwright/test'
import type { Output, RouteOf } from '@tidenet/contract'
import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/devices/earnings-texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/devices/earnings-texts.zh.ts'
import { texts as earnEn } from '../../apps/web/src/features/earn/texts.en.ts'
import { texts as earnZh } from '../../apps/web/src/features/earn/texts.zh.ts'
import { dayBefore, seedEarnings } from './earning-helpers.ts'
import {
  accessibilityViolations,
  call,
  createUser,
  data,
  expect,
  operator,
  overflows,
  test,
  viewsFor,
} from './test-env.ts'

type Statement = Output<RouteOf<'earnings.statement'>>
type Disputes = Output<RouteOf<'earnings.disputes'>>

const POINT = 1_000_000
const STATEMENT = '**/api/v1/earnings/statement?*'
const widths = [320, 390, 768, 1280]

/** Accessibility violations in both themes. */
async function allBarriers(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await accessibilityViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await accessibilityViolations(page, ['color-contrast']))]
}

async function fits(page: Page, height: number): Promise<void> {
  const was = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    expect(await overflows(page), `${width} px`).toBe(false)
  }
  if (was) await page.setViewportSize(was)
}

/** Changes the statement on its way to the page: the first hour earned a point more. */
const tamper = (page: Page) =>
  page.route(STATEMENT, async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: Statement }
    const [first, ...hours] = answer.data.hours
    if (!first) throw new Error('the statement has no hours')
    const data = {
      ...answer.data,
      traffic: answer.data.traffic + POINT,
      hours: [{ ...first, traffic: first.traffic + POINT }, ...hours],
    }
    await route.fulfill({ json: { ...answer, data } })
  })

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    test.setTimeout(120_000)
    const w = view.lang === 'zh' ? zh : en
    const a = view.lang === 'zh' ? adminZh : adminEn
    const e = view.lang === 'zh' ? earnZh : earnEn
    const recompute = (page: Page) => page.getByRole('button', { name: w.recompute, exact: true })

    test('an owner sees what devices earned, hour by hour, and computes a day again from its receipts', async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const node = await seedEarnings(user, 'harbour', 20)
      await signIn(page, user)
      await page.goto(at('/devices'))
      await expect(page.getByRole('heading', { name: w.title, exact: true })).toBeVisible()
      await expect(page.getByRole('table', { name: w.byDevice })).toContainText(w.gone)
      expect(await allBarriers(page)).toEqual([])
      await fits(page, view.height)

      await page.goto(at(`/devices?statement=${node}&day=${dayBefore(1)}`))
      const panel = page.getByRole('dialog')
      const hours = panel.locator('details')
      await expect(hours).toHaveCount(3)
      await hours.nth(1).locator('summary').click()
      await expect(hours.nth(1)).toContainText(w.hindrances.failed)
      await hours.nth(2).locator('summary').click()
      await expect(hours.nth(2)).toContainText(w.inputs.crowd('2', true))
      expect(await allBarriers(page)).toEqual([])
      await fits(page, view.height)

      const saved = page.waitForEvent('download')
      await hours.nth(1).getByRole('button').click()
      expect((await saved).suggestedFilename()).toMatch(/^receipt-\d+\.json$/)

      await recompute(page).click()
      await expect(panel).toContainText(w.agrees)
      await expect(panel).toContainText(w.agreesText(4))
      await expect(panel.getByRole('button', { name: w.dispute })).toHaveCount(0)
      expect(await allBarriers(page)).toEqual([])
    })

    test('a statement that was changed differs from its receipts; the owner disputes it and reads the answer', {
      tag: '@long',
    }, async ({ page, visitor, user, signIn, at }) => {
      const node = await seedEarnings(user, 'quay')
      const day = dayBefore(1)
      const computed = await data<Statement>('earnings.statement', { node_id: node, day }, user.token)
      await tamper(page)
      await signIn(page, user)
      await page.goto(at(`/devices?statement=${node}&day=${day}`))
      const panel = page.getByRole('dialog')
      await recompute(page).click()
      await expect(panel).toContainText(w.differs)
      await expect(panel).toContainText(w.differsText('1', true))
      await expect(panel).toContainText(w.dayDiffers)
      expect(await allBarriers(page)).toEqual([])
      await fits(page, view.height)
      const text = '<b>the first hour</b>\nis wrong'
      await panel.getByRole('textbox', { name: w.disputeText }).fill(text)
      await panel.getByRole('button', { name: w.dispute }).click()
      await expect(panel).toContainText(w.disputeOpen)
      await expect(panel.getByRole('button', { name: w.dispute })).toHaveCount(0)

      const { list } = await data<Disputes>('earnings.disputes', {}, user.token)
      // The network states what it stored, whatever the page showed.
      expect(list).toMatchObject([
        { node_id: node, day, text, computed: { traffic: computed.traffic, storage: computed.storage } },
      ])

      await test.step('an operator closes it with a note', async () => {
        const desk = await visitor()
        const boss = await operator()
        await signIn(desk, boss)
        await desk.evaluate(() => {
          const stored = JSON.parse(localStorage.getItem('tidenet.login') ?? '{}')
          stored.state.userinfo.role = 'operator'
          localStorage.setItem('tidenet.login', JSON.stringify(stored))
        })
        await desk.goto(at(`/admin?view=disputes&open=${list[0]?.id}`))
        const details = desk.getByRole('dialog')
        await expect(details).toContainText('<b>the first hour</b>')
        await details.getByRole('textbox', { name: a.note }).fill('Thank you.')
        await details.getByRole('button', { name: a.save, exact: true }).click()
        await expect
          .poll(async () => (await data<Disputes>('earnings.disputes', {}, user.token)).list[0]?.note)
          .toBe('Thank you.')
        expect(await allBarriers(desk)).toEqual([])
        await details.getByRole('button', { name: a.disputes.close }).click()
        await expect(details.getByRole('button', { name: a.disputes.reopen })).toBeVisible()
      })
      await page.reload()
      await expect(panel).toContainText('Thank you.')
      await page.goto(at('/devices'))
      await expect(page.getByRole('region', { name: w.disputes })).toContainText('Thank you.')
    })

    test('the weekly e-mail can be turned off', { tag: '@long' }, async ({ page, user, signIn, at }) => {
      await seedEarnings(user, 'pier')
      await signIn(page, user)
      await page.goto(at('/devices'))
      const weekly = page.getByRole('switch', { name: w.weekly })
      await expect(weekly).toBeChecked()
      await weekly.click()
      await expect(weekly).not.toBeChecked()
      await page.reload()
      await expect(weekly).not.toBeChecked()
    })

    test('the public page says what devices really earned, and estimates a month', { tag: '@long' }, async ({
      page,
      at,
    }) => {
      const result = page.locator('output')
      await page.goto(at('/earn'), { waitUntil: 'networkidle' })
      await expect(page.getByRole('heading', { level: 1, name: e.title })).toBeVisible()
      await page.getByRole('textbox', { name: e.held }).fill('720')
      await page.getByRole('textbox', { name: e.served }).fill('2')
      await page.getByRole('textbox', { name: e.paidShare }).fill('100')
      await expect(result).toContainText(e.perMonth('780'))
      await page.getByRole('textbox', { name: e.crowd }).fill('1000000')
      await expect(result).not.toContainText(e.perMonth('780'))
      await page.getByRole('textbox', { name: e.held }).fill('a lot')
      await expect(result).toContainText(e.perMonth('60'))
      expect(await allBarriers(page)).toEqual([])
      await fits(page, view.height)

      const figures = {
        from: '2026-01-01',
        to: '2026-01-30',
        devices: 4,
        earning: 3,
        counted: 3,
        owners: 2,
        median: null,
        paid_share: 0,
      }
      await page.route('**/api/v1/earnings/public', (route) => route.fulfill({ json: { code: 0, data: figures } }))
      await page.reload({ waitUntil: 'networkidle' })
      await expect(page.getByText(e.tooFewText(4, 2))).toBeVisible()
      await page.unrouteAll()
      const counts = { devices: 40, earning: 30, counted: 25, owners: 12 }
      const many = { ...figures, ...counts, median: 10_000_000, paid_share: 500_000 }
      await page.route('**/api/v1/earnings/public', (route) => route.fulfill({ json: { code: 0, data: many } }))
      await page.reload({ waitUntil: 'networkidle' })
      await expect(page.getByText(e.median('10'))).toBeVisible()
      await expect(page.getByRole('textbox', { name: e.paidShare })).toHaveValue('50')
    })

    test('others see neither earnings nor statements nor receipts, and cannot dispute', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      expected,
      at,
    }) => {
      expected.push(/40[34]/)
      const node = await seedEarnings(user, 'slip')
      const day = dayBefore(1)
      const { receipt, hours } = await data<Statement>('earnings.statement', { node_id: node, day }, user.token)
      const stranger = await createUser()
      const named = { node_id: node, day }
      expect((await call('earnings.statement', named, stranger.token)).code).not.toBe(0)
      expect((await call('earnings.dispute', { ...named, hours: [] }, stranger.token)).code).not.toBe(0)
      for (const id of [receipt, hours[0]?.receipt]) {
        const path = at(`/api/v1/receipts/${id}`)
        const answer = await fetch(path, { headers: { JwtAuthorization: `Bearer ${stranger.token}` } })
        expect(((await answer.json()) as { code: number }).code).not.toBe(0)
      }
      for (const name of ['earnings.summary', 'earnings.disputes'] as const) expect((await call(name)).code).toBe(401)

      await signIn(page, stranger)
      await page.goto(at(`/devices?statement=${node}&day=${day}`))
      await expect(page.getByRole('dialog')).toContainText(w.statementFailed)
      await expect(page.getByRole('heading', { name: w.title, exact: true })).toHaveCount(0)
    })
  })
