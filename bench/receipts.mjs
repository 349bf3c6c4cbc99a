// Bytes per receipt of each kind, how many receipts are appended per second, and the CPU time of a receipt with its proof.
// `node bench/receipts.mjs 10000000` measures a log of ten million receipts of uploads, and prints instead of reporting.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'
import { newUid } from '../apps/server/dist/identity/accounts/uids.js'
import { createDb } from '../apps/server/dist/platform/db/db.js'
import { migrate } from '../apps/server/dist/platform/db/migrate.js'
import { deriveKeys } from '../apps/server/dist/platform/keys.js'
import { appendQueued } from '../apps/server/dist/platform/transparency-log/append.js'
import { issueReceipts } from '../apps/server/dist/platform/transparency-log/issue.js'
import { findReceipt, proveReceipt } from '../apps/server/dist/platform/transparency-log/read.js'
import { cpuOf, median, processTree, report, timed } from './measure.mjs'

const SIZE = Number(process.argv[2] ?? 0)
/** Of each kind: 40 complete bundles. */
const PER_KIND = 40 * 256
const PROOFS = 500
const ROUNDS = 8

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const pick = (list) => list[Math.floor(Math.random() * list.length)]
const upTo = (most) => Math.floor(Math.random() * most)
const hex = (bytes) => randomBytes(bytes).toString('hex')
const cid = () => `bafkrei${[...randomBytes(52)].map((byte) => BASE32[byte % 32]).join('')}`
const nodes = Array.from({ length: 50 }, () => `c_${randomUUID()}`)
const accounts = Array.from({ length: 1000 }, newUid)
const wallet = () => `tide1${[...randomBytes(38)].map((byte) => BASE32[byte % 32]).join('')}`
const tx = () => hex(32).toUpperCase()
const key = () => randomBytes(32).toString('base64url')
const signature = () => randomBytes(64).toString('base64url')
/** Unix seconds. */
const DAY = 86_400 * 20_000

/** Every value that can differ does: each upload is by another account in the worst case, by one of 1,000 otherwise. */
const KINDS = {
  upload: () => ({ sub: pick(accounts), node: pick(nodes), cid: cid(), type: 'file', size: upTo(1e8) }),
  'upload, each by another account': () => ({ ...KINDS.upload(), sub: newUid() }),
  download: () => ({
    sub: pick(accounts),
    node: pick(nodes),
    trace: randomUUID(),
    cid: cid(),
    reader_key: key(),
    received: upTo(1e8),
    reader_signature: signature(),
    node_key: key(),
    sent: upTo(1e8),
    node_signature: signature(),
    signed: 0,
  }),
  node_hour: () => ({
    sub: pick(accounts),
    node: `e_${randomUUID()}`,
    hour: DAY,
    trusted: true,
    passed: upTo(9),
    failed: 0,
    audited: DAY + upTo(3600),
    held: upTo(1e12),
    online: 3600,
    crowd: 1 + upTo(3),
    signed: upTo(1e10),
    paid_share: upTo(1e6),
  }),
  order: () => ({
    sub: newUid(),
    order: randomUUID(),
    purpose: 'create',
    wallet: wallet(),
    amount: upTo(1e4),
    hours: upTo(720),
    tx: tx(),
  }),
  refund: () => ({
    sub: newUid(),
    order: randomUUID(),
    wallet: wallet(),
    units: String(upTo(1e6)),
    decimals: 2,
    tx: tx(),
  }),
  claim: () => ({ sub: newUid(), purpose: 'faucet', wallet: wallet(), amount: 400, tx: tx() }),
  earnings: () => {
    const hours = Array.from({ length: 24 }, (_, at) => ({
      hour: DAY + 3600 * at,
      version: 1,
      receipt: 1e6 + 10_000 * at + upTo(10_000),
      traffic: upTo(1e8),
      storage: upTo(1e8),
    }))
    const sum = (cause) => hours.reduce((total, each) => total + each[cause], 0)
    const day = new Date(DAY * 1000).toISOString().slice(0, 10)
    return {
      sub: pick(accounts),
      node: `e_${randomUUID()}`,
      day,
      traffic: sum('traffic'),
      storage: sum('storage'),
      hours,
    }
  },
}

const folder = mkdtempSync(join(tmpdir(), 'tidenet-bench-'))
const postgres = await startPostgres({ dataDir: join(folder, 'data') })
const db = createDb(postgres.url, { log: createLogger('bench', 'silent') })
const clock = { now: Date.now }

/** A log of its own. */
const newLog = async () => ({ db, clock, log: console, config: { data: '' }, keys: await deriveKeys(randomBytes(32)) })

/** @returns the ids; ms in which they were appended, and CPU ms of this process and of PostgreSQL */
async function append(context, kind, count) {
  const ids = []
  for (let left = count; left > 0; left -= 5000) {
    const stated = Array.from({ length: Math.min(left, 5000) }, () => ({ kind: kind.split(',')[0], ...KINDS[kind]() }))
    ids.push(...(await issueReceipts(db, stated, new Date())))
  }
  const cpu = cpuOf(processTree())
  const { ms } = await timed(() => appendQueued(context))
  return { ids, ms, cpu: cpuOf(processTree()) - cpu }
}

const bytesOf = async ({ keys }) =>
  (
    await db.pool.query(
      `select (select sum(pg_column_size(claims) + 60) from log_bundles where log = $1)::int as bundles,
         (select sum(pg_column_size(hashes) + 60) from log_tiles where log = $1)::int as tiles`,
      [keys.log],
    )
  ).rows[0]

/** CPU ms of this process for a random receipt, as `receipts.get` finds and proves it: the mean of each round, because CPU time is counted coarsely. */
async function proofs(context, ids) {
  const times = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let each = 0; each < PROOFS; each++) {
      const id = pick(ids)
      const found = await findReceipt(context, id)
      await proveReceipt(context, found, found.logged)
    }
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000 / PROOFS)
  }
  // The first round warms up.
  return times.slice(1)
}

const figure = (text) => Number(text.toFixed(1))

try {
  await migrate(db)
  if (SIZE > 0) {
    const context = await newLog()
    const rates = []
    let cpu = 0
    const ids = []
    for (let size = 0; size < SIZE; size += 100_000) {
      const batch = Math.min(100_000, SIZE - size)
      const added = await append(context, 'upload', batch)
      rates.push((batch * 1000) / added.ms)
      cpu += added.cpu
      ids.push(...added.ids.filter(() => Math.random() < 0.01))
      console.log(
        `${size + batch}: ${Math.round(rates.at(-1))} receipts/s, ${figure((added.cpu * 1000) / batch)} µs of CPU each`,
      )
    }
    await db.pool.query('vacuum analyze')
    const { rows } = await db.pool.query(
      `select pg_total_relation_size('log_bundles') as bundles, pg_total_relation_size('log_tiles') as tiles`,
    )
    const times = await proofs(context, ids)
    console.log({
      receipts: SIZE,
      perSecondMedian: Math.round(median(rates)),
      cpuMicrosecondsEach: figure((cpu * 1000) / SIZE),
      bundlesBytes: rows[0].bundles,
      tilesBytes: rows[0].tiles,
      bytesEach: figure((rows[0].bundles + rows[0].tiles) / SIZE),
      proofCpuMs: figure(median(times) * 100) / 100,
    })
  } else {
    let rate = { perSecond: 0, cpu: 0 }
    for (const kind of Object.keys(KINDS)) {
      const context = await newLog()
      const { ids, ms, cpu } = await append(context, kind, PER_KIND)
      const { bundles, tiles } = await bytesOf(context)
      // The column that names it: on the asset, the payment, the claim or the redemption.
      const column = /upload|order|refund|claim/.test(kind) ? 8 : 0
      const bytes = (bundles + tiles) / PER_KIND + column
      const isUpload = kind.startsWith('upload')
      report(`bytes per receipt: ${kind}`, {
        measured: figure(bytes),
        unit: 'bytes',
        against: `${figure(bundles / PER_KIND)} of claims, ${figure(tiles / PER_KIND)} of hashes, ${column} of its column`,
        value: figure(bytes),
        ...(isUpload && { goal: { below: 100 } }),
      })
      if (kind !== 'upload') continue
      rate = { perSecond: (PER_KIND * 1000) / ms, cpu: (cpu * 1000) / PER_KIND }
      const times = await proofs(context, ids)
      report('a receipt with its inclusion proof, CPU time', {
        measured: median(times).toFixed(2),
        unit: 'ms',
        against: 'an absolute bound',
        value: median(times),
        goal: { below: 1 },
      })
    }
    report('receipts appended to the log', {
      measured: Math.round(rate.perSecond),
      unit: 'receipts/s',
      against: `no bound; ${figure(rate.cpu)} µs of CPU each, with PostgreSQL`,
      value: Math.round(rate.perSecond),
    })
  }
} finally {
  await db.close()
  await postgres.stop()
  removeDataFolder(join(folder, 'data'))
  removeDataFolder(folder)
}
