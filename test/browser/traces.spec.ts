import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { texts as traceEn } from '../../apps/web/src/features/dashboard/texts.en.ts'
import { texts as traceZh } from '../../apps/web/src/features/dashboard/texts.zh.ts'
import { accessibilityViolations, data, expect, operator, overflows, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? traceZh : traceEn
    const a = view.lang === 'zh' ? adminZh : adminEn

    test('a slow node is named; the transfer is sent to support and closed by an operator', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      visitor,
      at,
    }) => {
      const { list } = await data<{ list: { node_id: string }[] }>('network.map')
      const [fast, usual, slow] = list.map(({ node_id }) => node_id) as [string, string, string]
      const began = Date.now() - 10_000
      const part = (node_id: string, ms: number) => ({
        node_id,
        state: 1,
        size: 1_000_000,
        start_at: began,
        end_at: began + ms,
        status_code: 206,
      })
      const report = { state: 1, transfer_type: 'download', total_size: 3_000_000, cost_ms: 5000, log: '<b>log</b>' }
      const { trace_id } = await data<{ trace_id: string }>(
        'traces.report',
        { ...report, details: [part(fast, 100), part(usual, 100), part(slow, 5000)] },
        user.token,
      )
      await signIn(page, user)
      await page.goto(at(`/dashboard?trace=${trace_id}`))

      await test.step('the page names the node, its time and its share of the median rate', async () => {
        const named = page.getByRole('listitem').filter({ hasText: slow.slice(0, 10) })
        await expect(named).toContainText(slow.slice(-6))
        await expect(named).toContainText('2.0%')
        await expect(named.getByRole('link')).toHaveAttribute('href', new RegExp(slow))
        await expect(page.getByText(fast, { exact: true })).toHaveCount(0)
      })

      await test.step('all columns of the attempts fit the screen', async () => {
        const attempts = page.getByRole('region', { name: w.waterfall })
        expect(await attempts.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0)
      })

      const hostile = `<img src=x onerror=alert(1)>\u202e ${view.name}`
      await test.step('the user sends it, once', async () => {
        const text = page.getByRole('textbox', { name: w.support.text })
        await text.fill(hostile)
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('button', { name: w.support.send }).click()
        await expect(text).toHaveCount(0)
        const [before = '', after = ''] = w.support.sent('|').split('|')
        const status = page.getByRole('status').filter({ hasText: before.trim() }).filter({ hasText: after.trim() })
        await expect(status).toBeVisible()
        await page.reload()
        await expect(text).toHaveCount(0)
      })

      const desk = await visitor()
      await signIn(desk, await operator())
      await desk.goto(at(`/admin?view=supports&state=open&q=${trace_id}`))
      const row = desk.getByRole('button', { name: a.details(trace_id) })
      await test.step('an operator reads plain text', async () => {
        await row.click()
        const panel = desk.getByRole('dialog')
        await expect(panel.getByText(`<img src=x onerror=alert(1)> ${view.name}`)).toBeVisible()
        await expect(panel.getByText('<b>log</b>')).toBeVisible()
        await expect(panel.getByText(new RegExp(slow)).first()).toBeVisible()
        expect(await accessibilityViolations(desk)).toEqual([])
        expect(await overflows(desk)).toBe(false)
      })

      await test.step('and closes the case, which the user sees', async () => {
        await desk.getByRole('button', { name: a.supports.close }).click()
        await expect(row).toHaveCount(0)
        await page.reload()
        await expect(page.getByRole('textbox', { name: w.support.text })).toBeVisible()
        await expect(page.getByRole('button', { name: w.support.send })).toBeVisible()
      })
    })
  })
