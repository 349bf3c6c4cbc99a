import { randomBytes } from 'node:crypto'
import { createStorage } from '@tidenet/storage'
import pg from 'pg'
import { texts as accountEn } from '../../apps/web/src/features/account/texts.en.ts'
import { texts as accountZh } from '../../apps/web/src/features/account/texts.zh.ts'
import { texts as dashboardEn } from '../../apps/web/src/features/dashboard/texts.en.ts'
import { texts as dashboardZh } from '../../apps/web/src/features/dashboard/texts.zh.ts'
import { accessibilityViolations, call, data, downloaded, expect, type TestUser, test, viewsFor } from './test-env.ts'

const MiB = 1024 ** 2

/** Uploads random bytes to an account and waits until some nodes store them. */
async function store(user: TestUser, name: string, size: number): Promise<string> {
  const storage = createStorage({ token: user.token, url: String(process.env.TIDENET_URL) })
  const result = await storage.uploadAsset(new File([randomBytes(size)], name))
  if (result.code !== 0) throw new Error(result.msg)
  const { cid } = result.data as { cid: string }
  await expect(async () => {
    const { network_count } = await data<{ network_count: number }>('assets.detail', { cid }, user.token)
    expect(network_count).toBeGreaterThan(1)
  }).toPass({ timeout: 30_000 })
  return cid
}

async function setRole(user: TestUser, role: string, vip: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: String(process.env.TIDENET_BROWSER_DATABASE) })
  await client.connect()
  const { rowCount } = await client.query('update users set role = $1, vip = $2 where email = $3', [
    role,
    vip,
    user.email,
  ])
  await client.end()
  expect(rowCount).toBe(1)
  // Servers cache accounts for half a second.
  await expect.poll(() => data('accounts.vipInfo', {}, user.token)).toMatchObject({ role, vip })
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const [a, d] = view.lang === 'zh' ? [accountZh, dashboardZh] : [accountEn, dashboardEn]

    test('switching the language on the dashboard drops the fragment and translates everything', {
      tag: '@long',
    }, async ({ page, user, signIn, at, t }) => {
      const other = view.lang === 'en' ? dashboardZh : dashboardEn
      await signIn(page, user)
      await page.goto(at('/dashboard#x'))
      await expect(page.getByRole('heading', { name: d.title, level: 1 })).toBeVisible()
      await page.getByRole('button', { name: t.language.label }).click()
      await page.getByRole('button', { name: view.lang === 'en' ? t.language.zh : t.language.en }).click()
      await expect(page).toHaveURL(at('/dashboard'))
      await expect(page.getByRole('heading', { name: other.title, level: 1 })).toBeVisible()
      await expect(page.getByText(other.activity, { exact: true })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', view.lang === 'en' ? 'zh-CN' : 'en')
      await page.goto(at('/about?lang=en#feedback'))
      await page.goto(at('/about?lang=zh#feedback'))
      await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
      const menu = page.getByRole('button', { name: '语言' })
      // The page is prerendered before its code loads.
      await expect(async () => {
        await menu.click()
        await expect(menu).toHaveAttribute('aria-expanded', 'true', { timeout: 500 })
      }).toPass()
      await page.getByRole('button', { name: 'English' }).click()
      // The language in the URL does not persist.
      await expect(page).toHaveURL(at('/about'))
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    })

    test('the account page and dashboard match the server’s figures and the sum of all files', async ({
      page,
      user,
      signIn,
      at,
    }) => {
      test.slow()
      await store(user, 'soundings.bin', 3 * MiB)
      await store(user, 'currents.bin', MiB)
      const { list } = await data<{ list: { AssetOverview: { UserAssetDetail: { TotalSize: number } } }[] }>(
        'folders.contents',
        { parent: 0, page_size: 100 },
        user.token,
      )
      const sum = list.reduce((all, { AssetOverview }) => all + AssetOverview.UserAssetDetail.TotalSize, 0)
      const size = await data<{ UsedSize: number; TotalSize: number; AssetCount: number }>(
        'usage.storageSize',
        {},
        user.token,
      )
      expect(size).toMatchObject({ UsedSize: sum, TotalSize: 100 * MiB, AssetCount: 2 })
      expect(sum).toBe(4 * MiB)

      await signIn(page, user)
      await page.goto(at('/myAccount'))
      await expect(page.getByText(a.storageOf('4 MiB', '100 MiB'))).toBeVisible()
      await expect(page.getByText(user.uid)).toBeVisible()
      await expect(page.getByText(user.email).last()).toBeVisible()
      await expect(page.getByText(a.plans.free, { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await page.goto(at('/dashboard'))
      await expect(page.getByText(d.storageOf('4 MiB', '100 MiB'))).toBeVisible()

      await test.step('where the replicas are', async () => {
        const areas = page.getByRole('region', { name: d.areasTitle })
        await expect(async () => {
          const { list } = await data<{ list: { name: string; copies: number }[] }>('assets.areas', {}, user.token)
          expect(list.length).toBeGreaterThan(0)
          await expect(areas.getByRole('listitem')).toHaveCount(list.length, { timeout: 1000 })
          if (view.lang === 'en')
            for (const { name, copies } of list)
              await expect(areas.getByRole('listitem').filter({ hasText: name })).toContainText(d.copies(copies), {
                timeout: 1000,
              })
        }).toPass({ timeout: 45_000 })
      })

      await test.step('an upload by file name, with every attempt', async () => {
        await page.getByRole('link', { name: d.details('soundings.bin') }).click()
        await expect(page).toHaveURL(/trace=/)
        await expect(page.getByRole('heading', { name: 'soundings.bin' })).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await page.getByRole('link', { name: d.back }).click()
      })

      await test.step('each chart as a table, reachable by keyboard', async () => {
        await page.getByRole('button', { name: d.received, exact: true }).click()
        const chart = page.getByRole('figure').filter({ hasText: d.received })
        const table = chart.getByText(d.table)
        await table.focus()
        await page.keyboard.press('Enter')
        await expect(chart.getByRole('row')).toHaveCount(25)
        await expect(chart.getByRole('row').last()).toContainText('4 MiB')
        await page
          .getByRole('button', { name: d.days(30) })
          .or(page.getByRole('button', { name: d.daysShort(30) }))
          .click()
        await expect(chart.getByRole('row')).toHaveCount(31)
        expect(await accessibilityViolations(page)).toEqual([])
      })
    })

    test('shows a changed plan without a new sign-in', { tag: '@long' }, async ({ page, user, signIn, at, t }) => {
      test.skip(!process.env.TIDENET_BROWSER_DATABASE, 'needs the database of the network')
      await page.clock.install()
      await signIn(page, user)
      await page.goto(at('/myAccount'))
      await expect(page.getByText(a.storageOf('0 B', '100 MiB'))).toBeVisible()
      /** In the heading of a column, or of a card on narrow screens. */
      const plan = (name: string) =>
        view.width < 768 ? page.getByRole('heading', { name, level: 2 }) : page.getByRole('columnheader', { name })
      /** Open pages show a changed plan within five seconds. */
      const shown = async (wanted: () => Promise<void>) => {
        await page.clock.fastForward(4500)
        await expect(wanted).toPass()
      }
      await setRole(user, 'user', true)
      await shown(async () => {
        await expect(page.getByText(a.plans.vip, { exact: true }).first()).toBeVisible({ timeout: 1000 })
        await expect(page.getByText(a.storageOf('0 B', '5 GiB'))).toBeVisible({ timeout: 1000 })
      })
      await page.getByRole('link', { name: a.toPlans }).click()
      await shown(() => expect(plan(a.plans.vip)).toContainText(a.mine, { timeout: 1000 }))
      await page.getByRole('button', { name: t.shell.account }).click()
      await expect(page.getByRole('menu').getByText(t.shell.vip, { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await setRole(user, 'user', false)
      await shown(() => expect(plan(a.plans.free)).toContainText(a.mine, { timeout: 1000 }))
    })

    test('the role determines the plan and the highlighted column', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      test.skip(!process.env.TIDENET_BROWSER_DATABASE, 'needs the database of the network')
      await signIn(page, user)
      for (const [role, vip, name, column] of [
        ['enterprise', true, a.plans.enterprise, a.plans.enterprise],
        ['test', false, a.plans.test, a.plans.free],
        ['user', true, a.plans.vip, a.plans.vip],
      ] as const) {
        await setRole(user, role, vip)
        await page.goto(at('/myAccount'))
        await expect(page.getByRole('main').getByText(name, { exact: true })).toBeVisible()
        await page.getByRole('link', { name: a.toPlans }).click()
        const heads = view.width < 768 ? page.getByRole('heading', { level: 2 }) : page.getByRole('columnheader')
        const marked = heads.filter({ hasText: a.mine })
        await expect(marked).toHaveCount(1)
        await expect(marked).toContainText(column)
        await page.getByRole('button', { name: t.shell.account }).click()
        const badge = role === 'enterprise' ? t.shell.enterprise : t.shell.vip
        await expect(page.getByRole('menu').getByText(badge, { exact: true })).toHaveCount(vip ? 1 : 0)
        await page.keyboard.press('Escape')
      }
    })

    test('an exported chart has full timestamps and dates', { tag: '@long' }, async ({ page, user, signIn, at }) => {
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      for (const [range, steps, step] of [
        [1, 24, 3_600_000],
        [7, 7, 24 * 3_600_000],
      ] as const) {
        await page
          .getByRole('button', { name: view.width < 640 ? d.daysShort(range) : d.days(range), exact: true })
          .click()
        const name = `tidenet-usage-${steps === 24 ? 1 : steps}d.csv`
        await expect(async () => {
          const saved = await downloaded(page, () => page.getByRole('button', { name: d.export }).click())
          expect(saved.name).toBe(name)
          const [head = '', ...rows] = saved.bytes.toString().trim().split('\n')
          expect(head).toMatch(/^time,/)
          const times = rows.map((row) => row.split(',')[0] ?? '')
          expect(times).toHaveLength(steps)
          for (const time of times) expect(new Date(time).toISOString()).toBe(time)
          for (const [index, time] of times.entries())
            expect(Date.parse(time) - Date.parse(times[0] ?? '')).toBe(index * step)
          expect(Date.now() - Date.parse(times.at(-1) ?? '')).toBeLessThan(step + 60_000)
        }).toPass()
      }
    })
  })

test.describe('rejections', () => {
  test('rejects visitors on every console page and returns there after sign-in', async ({ page, at }) => {
    for (const path of ['/dashboard', '/fileStorage?folder=1', '/upload', '/key', '/testCoin', '/mycenter?tab=1'])
      for (const [asked, wanted] of [[path, path]] as const) {
        await page.goto(at(asked))
        await expect(page).toHaveURL(/\/\?redirect=/)
        expect(new URL(page.url()).searchParams.get('redirect')).toBe(wanted)
      }
    for (const path of ['/myPCDN', '/myAccount', '/center']) {
      await page.goto(at(path))
      await expect(page).toHaveURL(/\/\?redirect=/)
    }
  })

  test('rejects transfers and areas of other accounts', { tag: '@long' }, async ({
    page,
    visitor,
    user,
    signIn,
    at,
  }) => {
    const cid = await store(user, 'mine.bin', 1000)
    const { list } = await data<{ list: { trace_id: string }[] }>('traces.list', { page: 1 }, user.token)
    const other = await visitor()
    await other.goto(at('/'))
    expect((await call('assets.areas', {})).code).toBe(401)
    expect((await call('traces.get', { trace_id: list[0]?.trace_id ?? '' })).code).toBe(-1)
    expect(cid).not.toBe('')
    await signIn(page, user)
    await page.goto(at('/dashboard?trace=tnothing'))
    await expect(page.getByRole('alert').filter({ hasText: dashboardEn.notFound })).toBeVisible()
  })
})
