// Pages of the order history of an account with 100,000 orders.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'
import { sql } from '../apps/server/dist/platform/db/sql.js'
import { loadFixture } from '../tools/load-fixture.mjs'
import { median, percentile, report, sample, timed } from './measure.mjs'

const { setupOrders } = await loadFixture('apps/server/src/payments/orders/sample-orders.fixture.ts')

const HISTORY = 100_000
const ROUNDS = 3

const dataDir = join(mkdtempSync(join(tmpdir(), 'tidenet-bench-orders-')), 'data')
const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } })
process.env.TIDENET_TEST_DATABASE = postgres.url
const env = await setupOrders()
const { base } = env

const call = async (operation, input, { token }) => {
  const { code, msg, data } = await base.call(operation, input, { token, ip: `10.9.${randomBytes(2).join('.')}` })
  if (code !== 0) throw new Error(`${operation}: ${msg}`)
  return data
}

/** Inserts orders of an account, most of them expired, a few running. */
const fill = (userId, count) =>
  base.db.run(sql`
    insert into orders (id, user_id, payer, lang, cluster, cpu, ram, storage, duration, bought, price, rate_price, rate_hours, status, workspace_id,
      money, created_at, updated_at, expired_at)
    select ${`u${userId}-`}::text || i, ${userId}, 'tide1', 'en', 'distributed', 1, 1, 40, 2, 2, 140, 140, 2,
      case when i % 1000 = 0 then 2 when i % 10 = 0 then 9 when i % 7 = 0 then 5 else 3 end, ${`u${userId}-`}::text || i,
      case when i % 1000 = 0 then 'held' else 'settled' end, now(), now(), now()
    from generate_series(1, ${count}) i`)

async function pages(buyer, input, count = 200) {
  const times = []
  for (let each = 0; each < count; each++) {
    const { ms, result } = await timed(() => call('orders.history', input, buyer))
    if (result.list.length === 0) throw new Error('an empty page')
    times.push(ms)
  }
  return times
}

try {
  const [rich, poor] = [await env.buyer(), await env.buyer()]
  await fill(rich.id, HISTORY)
  await fill(poor.id, 20)
  await base.db.run(sql`vacuum analyze orders`)
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const times = {
      few: await sample(() => pages(poor, {})),
      first: await sample(() => pages(rich, {})),
      running: await sample(() => pages(rich, { status: '2,6,7,8' })),
      deepest: await sample(() => pages(rich, { page: HISTORY / 10 - 1 }, 40)),
    }
    if (round > 0) rounds.push(times)
    console.log(
      `round ${round}, p50 and p99 in ms: ${Object.entries(times)
        .map(([name, list]) => `${name} ${median(list).toFixed(1)} ${percentile(list, 99).toFixed(1)}`)
        .join(', ')}`,
    )
  }
  const over = (of) => median(rounds.map(of))
  const p99 = over(({ first, running }) => Math.max(percentile(first, 99), percentile(running, 99)))
  report('a page of a history of 100,000 orders, p99', {
    measured: p99.toFixed(1),
    against: 'an absolute bound',
    unit: 'ms',
    value: p99,
    goal: { below: 25 },
  })
  report('the same compared with an account with 20 orders', {
    measured: over(({ first }) => median(first)).toFixed(1),
    against: `${over(({ few }) => median(few)).toFixed(1)} with 20 orders`,
    unit: 'ms',
    value: over(({ few, first }) => median(first) / median(few)),
    goal: { below: 1.5 },
  })
  report('the deepest page of that history', {
    measured: over(({ deepest }) => median(deepest)).toFixed(1),
    against: 'an absolute bound',
    unit: 'ms',
    value: over(({ deepest }) => percentile(deepest, 99)),
    goal: { below: 150 },
  })
} finally {
  await env.close()
  await postgres.stop()
  removeDataFolder(dataDir)
  removeDataFolder(join(dataDir, '..'))
}
