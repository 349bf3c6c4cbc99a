// CPU time of closing an hour of 10,000 devices: receipts, amounts and the days of their owners; and of a page of an owner.
import { join } from 'node:path'
import { startPostgres } from '@tidenet/testnet'
import { closeHours } from '../apps/server/dist/payments/earnings/close.js'
import { summary } from '../apps/server/dist/payments/earnings/service.js'
import { createDb } from '../apps/server/dist/platform/db/db.js'
import { migrate } from '../apps/server/dist/platform/db/migrate.js'
import { workFolder } from './files.mjs'
import { cpuOf, median, processTree, report } from './measure.mjs'

const DEVICES = 10_000
const COPIES = 100
const ACCOUNTS = 1000
const HOURS = 3
const HOUR = 3_600_000

const postgres = await startPostgres({ dataDir: join(workFolder(), 'postgres') })
const log = { debug() {}, info() {}, warn: console.warn }
const db = createDb(postgres.url, { log })
try {
  await migrate(db)
  const { pool } = db
  const start = Math.floor(Date.now() / HOUR) * HOUR
  const run = (text, values = []) => pool.query(text, values)
  await run(
    `insert into users (uid, vip, created_at) select 'u' || i, i <= $1, now() from generate_series(1, $2::int) i`,
    [ACCOUNTS / 2, ACCOUNTS],
  )
  await run(
    `insert into nodes (id, public_key, kind, name, area_id, url, ip, latitude, longitude, version, cpu_cores, memory, capacity, free,
       status, reachable, seen_at, created_at, vetted_at, owner_id, address)
     select 'e_' || i, 'e_' || i, 'edge', '', '', '', '', 0, 0, '', 4, 8, 1e12, 1e11, 'online', true, $2, $2, $2, 1 + i % $3::int, 'a' || i / 2
     from generate_series(1, $1::int) i`,
    [DEVICES, new Date(start - HOUR), ACCOUNTS],
  )
  const contents = (DEVICES * COPIES) / 50
  await run(
    `insert into contents (cid, hash, kind, size, blocks, created_at)
     select 'bafk' || i, '', 'file', 1e8, 1, now() from generate_series(1, $1::int) i`,
    [contents],
  )
  await run('update users set used_bytes = 1e9')
  await run(
    `insert into replicas (cid, node_id, state, pulled, verified, changed_at)
     select 'bafk' || 1 + (i * 7919 + c * 104729) % $2::int, 'e_' || i, 'stored', true, true, now()
     from generate_series(1, $1::int) i, generate_series(1, $3::int) c on conflict do nothing`,
    [DEVICES, contents, COPIES],
  )
  // Twelve audits an hour, of a day.
  await run(
    `insert into audits (id, cid, node_id, validator_id, position, state, created_at, done_at, counted)
     select gen_random_uuid(), 'bafk1', 'e_' || i, 'server', 0.5, 'passed', at, at, true
     from generate_series(1, $1::int) i, (select $2::timestamptz + a * interval '5 minutes' as at from generate_series(-144, 36) a) times`,
    [DEVICES, new Date(start)],
  )
  await run(
    `insert into node_traffic (node_id, hour, account_kind, sent, signed)
     select 'e_' || i, $2::timestamptz + h * interval '1 hour', 'vip', 1e9, 1e9 from generate_series(1, $1::int) i, generate_series(0, 2) h`,
    [DEVICES, new Date(start)],
  )
  await run('insert into earning_hours (hour, paid_share, closed_at) values ($1, 0, now())', [new Date(start - HOUR)])
  await run('vacuum analyze')

  const own = () => Object.values(process.cpuUsage()).reduce((sum, us) => sum + us / 1000, 0)
  const cpu = () => cpuOf(processTree(postgres.pid)) + own()
  const used = []
  // Each update stands for the heartbeats of an hour.
  await run('alter table nodes disable trigger node_presence_gap')
  for (let hour = 1; hour <= HOURS; hour++) {
    const before = cpu()
    const now = () => start + hour * HOUR + 6 * 60_000
    await run('update nodes set seen_at = $1', [new Date(now())])
    await closeHours({ db, log, clock: { now }, databaseTime: async () => now() })
    used.push(cpu() - before)
    console.log(`hour ${hour}: ${Math.round(used.at(-1))} ms`)
  }
  const { rows } = await run('select count(*)::int as hours, sum(traffic)::float8 as traffic from node_hours')
  if (rows[0].hours !== DEVICES * HOURS) throw new Error(`${rows[0].hours} hours were closed`)
  report('closing an hour of 10,000 devices with 100 copies each, CPU time of server and PostgreSQL', {
    measured: (median(used) / 1000).toFixed(1),
    against: 'an absolute bound',
    unit: 's',
    value: median(used) / 1000,
    goal: { below: 30 },
  })

  const times = []
  for (let time = 0; time < 20; time++) {
    const before = performance.now()
    const context = { db, config: { pace: 'usual' }, clock: { now: () => start + (HOURS + 0.5) * HOUR } }
    const { total_devices } = await summary(
      context,
      { kind: 'member', userId: 1 + time, uid: '' },
      { page: 1, size: 20 },
    )
    if (total_devices !== DEVICES / ACCOUNTS) throw new Error(`${total_devices} devices`)
    times.push(performance.now() - before)
  }
  report('earnings of an account with 10 devices among 10,000, with the running hour', {
    measured: median(times).toFixed(1),
    against: 'an absolute bound',
    unit: 'ms',
    value: median(times),
    goal: { below: 100 },
  })
} finally {
  await db.close()
  await postgres.stop()
}
