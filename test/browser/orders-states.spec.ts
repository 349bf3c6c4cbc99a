import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { labelOf } from '../../apps/server/src/payments/orders/states.ts'
import { linkFundedWallet, ordersWords } from './order-helpers.ts'
import { accessibilityViolations, expect, type TestUser, test, viewsFor } from './test-env.ts'

type Texts = ReturnType<typeof ordersWords>['o']
type Action = keyof Texts['actions']

interface Seed {
  status: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  money: 'none' | 'held' | 'settled'
  workspace?: 'active' | 'suspended'
  /** The available actions; `use` with a reason is shown disabled. */
  offers: readonly Action[]
  why?: keyof Texts['why']
}

/** One order in each state. */
const seeds: readonly Seed[] = [
  { status: 0, money: 'none', offers: ['pay', 'use', 'cancel'], why: 'unpaid' },
  { status: 1, money: 'held', offers: ['use'], why: 'making' },
  { status: 2, money: 'held', workspace: 'active', offers: ['use', 'renew', 'upgrade', 'terminate'] },
  { status: 3, money: 'settled', workspace: 'suspended', offers: ['rebuy'] },
  { status: 4, money: 'held', offers: ['use'], why: 'failed' },
  { status: 5, money: 'settled', offers: ['use'], why: 'none' },
  { status: 5, money: 'none', offers: ['use'], why: 'none' },
  { status: 6, money: 'none', offers: ['pay', 'use', 'cancel'], why: 'upgradeUnpaid' },
  { status: 7, money: 'held', workspace: 'active', offers: ['use'] },
  { status: 8, money: 'held', workspace: 'active', offers: ['use'] },
  { status: 9, money: 'settled', offers: ['use'], why: 'none' },
]
const IN_FILTER = { running: [2, 6, 7, 8], expired: [3], terminated: [9] } as const

/** Inserts orders that no task processes, so that they keep their state. */
async function seed(user: TestUser, payer: string): Promise<void> {
  const client = new pg.Client({ connectionString: String(process.env.TIDENET_BROWSER_DATABASE) })
  await client.connect()
  try {
    for (const { status, money, workspace = 'none' } of seeds)
      await client.query(
        `insert into orders (id, user_id, payer, lang, cluster, cpu, ram, storage, duration, bought, price, rate_price, rate_hours, status, workspace_id, workspace,
          money, refund, created_at, updated_at, started_at, expired_at)
        select $1, id, $2, 'en', 'distributed', 1, 1, 40, 4, 4, 280, 280, 4, $3::smallint, $1, $4, $5,
          case when $5 = 'settled' then 0 end, now(), now(), now(), now() + interval '4 hours' from users where uid = $6`,
        [randomUUID(), payer, status, workspace, money, user.uid],
      )
  } finally {
    await client.end()
  }
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o } = ordersWords(view)

    test('shows name, actions and filter of each order state', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      const { cosmos } = await linkFundedWallet(context, user)
      await seed(user, cosmos.address)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=1'))
      const rows = page.getByRole('article')
      await expect(rows.first()).toBeVisible()
      const shown = async (wanted: readonly Seed[]) => {
        for (const { status, money, offers, why } of wanted) {
          const label = o.labels[labelOf({ status, money, replaced_by: '' })]
          const row = rows.filter({ has: page.getByText(label, { exact: true }) })
          await expect(row, label).toHaveCount(1)
          for (const action of Object.keys(o.actions) as Action[]) {
            const offered = row.getByText(o.actions[action], { exact: true })
            await expect(offered, `${label}: ${action}`).toHaveCount(offers.includes(action) ? 1 : 0)
          }
          if (offers.includes('use'))
            await expect(row.getByRole('button', { name: o.actions.use, exact: true })).toBeEnabled({ enabled: !why })
          if (why) await expect(row).toContainText(o.why[why])
        }
      }
      for (const [name, statuses] of Object.entries(IN_FILTER)) {
        const wanted = seeds.filter(({ status }) => (statuses as readonly number[]).includes(status))
        await page.getByRole('button', { name: o.use.filters[name as keyof typeof IN_FILTER], exact: true }).click()
        await expect(rows).toHaveCount(wanted.length)
        await shown(wanted)
        const key = name === 'running' ? 'inService' : (name as 'expired' | 'terminated')
        const count = page.locator('dl > div').filter({ has: page.getByText(o.use[key], { exact: true }) })
        await expect(count.first()).toContainText(String(wanted.length))
      }
      await page.getByRole('button', { name: o.use.filters.all, exact: true }).click()
      await expect(rows).toHaveCount(10)
      await shown(seeds.slice(1))
      expect(await accessibilityViolations(page)).toEqual([])
    })
  })
