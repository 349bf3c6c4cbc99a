// From a payment in a block to the first byte of a terminal in the new machine, with a real chain, the server's tasks and this
// machine's container engine. Without an engine it does nothing.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'
import { clustersOf } from '../apps/server/dist/compute/clusters/clusters.js'
import { workspaces } from '../apps/server/dist/compute/workspaces/offer.js'
import { features } from '../apps/server/dist/features.js'
import { finishJobs } from '../apps/server/dist/platform/jobs/jobs.js'
import { loadFixture } from '../tools/load-fixture.mjs'
import { median, report, sample, timed } from './measure.mjs'

const { sampleEngine } = await loadFixture('apps/server/src/compute/clusters/engine/sample-engine.fixture.ts')
const { setupOrders, SMALLEST } = await loadFixture('apps/server/src/payments/orders/sample-orders.fixture.ts')

const BLOCK_MS = 100
const ROUNDS = 5

const { driver, close } = sampleEngine()
const { state, reason } = await driver.probe()
if (state !== 'ready') {
  console.log(`No container engine: ${reason}`)
  await close()
  process.exit(0)
}
const dataDir = join(mkdtempSync(join(tmpdir(), 'tidenet-bench-terminal-')), 'data')
const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } })
process.env.TIDENET_TEST_DATABASE = postgres.url
const env = await setupOrders(BLOCK_MS)
const { context, base } = env
context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
context.config.clusters = { ...context.config.clusters, overcommit: 100 }
context.workspaces = workspaces

const call = async (operation, input, { token }) => {
  const { code, msg, data } = await base.call(operation, input, { token })
  if (code !== 0) throw new Error(`${operation}: ${msg}`)
  return data
}

/** Opens a terminal and waits for its first output. */
async function firstByte(id) {
  const run = await driver.exec(
    { workspace: id, workload: `m-${id}` },
    { command: ['/bin/sh'], tty: true, columns: 80, rows: 24 },
  )
  await new Promise((resolve, reject) => {
    run.stream.once('data', resolve)
    run.stream.once('error', reject)
  })
  run.stream.destroy()
}

async function purchase(buyer) {
  const { id } = await call('orders.create', SMALLEST, buyer)
  const hash = await buyer.pay(await call('orders.payment', { id }, buyer))
  const running = await timed(async () => {
    await call('orders.hash', { id, hash }, buyer)
    while (!(await driver.list(id)).some(({ state }) => state === 'running')) {
      await env.work()
      await finishJobs(context, features)
      base.pass(25)
    }
  })
  const opened = await timed(() => firstByte(id))
  await call('orders.terminate', { id }, buyer)
  await env.work()
  await finishJobs(context, features)
  return { machine: running.ms, terminal: opened.ms }
}

try {
  const buyer = await env.buyer(100_000)
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const each = await sample(() => purchase(buyer))
    console.log(
      `round ${round}: a machine in ${each.machine.toFixed(0)} ms, its terminal in ${each.terminal.toFixed(0)} ms`,
    )
    // The first round fetches the image.
    if (round > 0) rounds.push(each)
  }
  const [machine, terminal] = ['machine', 'terminal'].map((part) => median(rounds.map((each) => each[part])))
  report('from a payment in a block to the first byte of its terminal', {
    measured: median(rounds.map((each) => each.machine + each.terminal)).toFixed(0),
    against: `${machine.toFixed(0)} until the machine runs, ${terminal.toFixed(0)} of its terminal`,
    unit: 'ms',
    value: median(rounds.map((each) => each.machine + each.terminal)),
    goal: { below: 3000 },
  })
} finally {
  await env.close()
  const left = await close()
  await postgres.stop()
  removeDataFolder(dataDir)
  removeDataFolder(join(dataDir, '..'))
  if (left.length > 0) console.log(`left behind: ${left.join(', ')}`)
}
