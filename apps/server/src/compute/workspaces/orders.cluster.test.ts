import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import {
  type Buyer,
  type OrdersEnv,
  runningOrder,
  SMALLEST,
  setupOrders,
} from '../../payments/orders/sample-orders.fixture.ts'
import { DAY, GRACE, HOUR } from '../../payments/orders/times.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleEngine } from '../clusters/engine/sample-engine.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { type Workspaces, workspaces } from './offer.ts'

/** Orders from payment to refund, with a real container engine. The server crashes after every step on the cluster. */

const MB = 1024 ** 2
const { driver, close } = sampleEngine()
const { state } = await driver.probe()
// `afterAll` does not run if all tests are skipped.
if (state !== 'ready') await close()

let orders: OrdersEnv
/** Crashes after an operation on the cluster, before its result was stored. */
let crashes = 0
beforeAll(async () => {
  if (state !== 'ready') return
  orders = await setupOrders(50)
  const { context } = orders
  context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  context.config.clusters = { ...context.config.clusters, overcommit: 100 }
  context.workspaces = crashing()
})
afterAll(async () => {
  await orders?.close()
  expect(await close()).toEqual([])
})

/** Operations succeed on the cluster, then the server crashes: once for each operation and workspace. */
function crashing(): Workspaces {
  const seen = new Set<string>()
  const once = (what: string, id: string) => {
    if (seen.has(`${what} ${id}`)) return
    seen.add(`${what} ${id}`)
    crashes += 1
    throw new Error('crashed')
  }
  const { create, resize, suspend, restore, remove } = workspaces
  return {
    ...workspaces,
    create: (context, order) => create(context, order).then(() => once('create', order.workspaceId)),
    resize: (context, order) => resize(context, order).then(() => once('resize', order.workspaceId)),
    restore: (context, order) => restore(context, order).then(() => once('restore', order.workspaceId)),
    suspend: (context, id, keeping) => suspend(context, id, keeping).then(() => once('suspend', id)),
    remove: (context, id) => remove(context, id).then(() => once('remove', id)),
  }
}

/** Lets time pass until interrupted work is continued. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await orders.pass(3000)
  await finishJobs(orders.context, features)
}

const call: OrdersEnv['base']['call'] = (...args) => orders.base.call(...args)
const orderOf = async (buyer: Buyer, id: string) =>
  (await call('orders.details', { id }, { token: buyer.token })).data.order
const machineOf = async (id: string) => (await driver.list(id)).find(({ workload }) => workload === `m-${id}`)

/** Runs a script in the machine of a workspace. */
async function sh(id: string, script: string): Promise<{ output: string; code: number }> {
  const ref = { workspace: id, workload: `m-${id}` }
  const run = await driver.exec(ref, { command: ['/bin/sh', '-c', script], tty: false })
  let output = ''
  for await (const chunk of run.stream) output += chunk
  return { output: output.trim(), code: await run.exit }
}

async function bought(): Promise<{ buyer: Buyer; id: string }> {
  const buyer = await orders.buyer(20_000)
  const id = await runningOrder(orders, buyer, { duration: 50 })
  await settle()
  expect((await orderOf(buyer, id)).status).toBe(2)
  return { buyer, id }
}

/** Lets the hours of an order pass, also on the chain. */
async function expire(): Promise<void> {
  await orders.chain.pass(50 * HOUR)
  await orders.pass(50 * HOUR)
  await settle()
}

describe.skipIf(state !== 'ready')('with an engine, an order', () => {
  it('that is paid gets a running machine with the purchased size', async () => {
    const { buyer, id } = await bought()
    expect(crashes).toBe(1)
    expect((await sh(id, 'echo $((40 + 2))')).output).toBe('42')
    expect(await machineOf(id)).toMatchObject({
      state: 'running',
      size: { cpu: 0.7, memory: 768 * MB, storage: 30 * GB },
    })
    // More memory than the machine has, then less.
    expect((await sh(id, 'dd if=/dev/zero of=/dev/null bs=1000M count=1 2>/dev/null')).code).toBe(137)
    expect((await sh(id, 'dd if=/dev/zero of=/dev/null bs=500M count=1 2>/dev/null')).code).toBe(0)
    if ((await driver.probe()).facts.storage === 'enforced') {
      const [blocks] = (await sh(id, "df -k /data | tail -n 1 | awk '{ print $(NF-4) }'")).output.split('\n')
      expect(Number(blocks) * 1024).toBeGreaterThan(28 * GB)
      expect(Number(blocks) * 1024).toBeLessThanOrEqual(30 * GB)
      expect((await sh(id, 'fallocate -l 31G /data/much')).code).not.toBe(0)
    }
    const before = await driver.usage({ workspace: id, workload: `m-${id}` })
    const start = Date.now()
    await sh(
      id,
      'end=$(($(date +%s) + 3)); while [ "$(date +%s)" -lt "$end" ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; done',
    )
    const used = (await driver.usage({ workspace: id, workload: `m-${id}` })).cpuSeconds - before.cpuSeconds
    expect(used / ((Date.now() - start) / 1000)).toBeLessThan(0.85)
    await call('orders.terminate', { id }, { token: buyer.token })
    await settle()
  })

  it('that is upgraded enlarges its machine and keeps its data', { tags: ['long'] }, async () => {
    const { buyer, id: old } = await bought()
    await sh(old, 'echo kept > /data/kept; sync')
    const as = { token: buyer.token }
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, cpu: 2, storage: 50, duration: 50 }, as)
    const { data: payment } = await call('orders.payment', { id: data.id }, as)
    await call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as)
    await orders.work()
    await settle()
    const order = await orderOf(buyer, data.id)
    expect(order).toMatchObject({ status: 2, workspace_id: old })
    expect(await machineOf(old)).toMatchObject({
      state: 'running',
      size: { cpu: 1.7, memory: 768 * MB, storage: 40 * GB },
    })
    expect((await sh(old, 'cat /data/kept')).output).toBe('kept')
    await call('orders.terminate', { id: data.id }, as)
    await settle()
    expect(await driver.listWorkspaces()).not.toContain(old)
  })

  it('that expires is suspended, and restored when it is bought again', async () => {
    const { buyer, id } = await bought()
    await sh(id, 'echo kept > /data/kept; echo changed > /root/changed; sync')
    await expire()
    await buyer.signIn()
    expect(await orderOf(buyer, id)).toMatchObject({ status: 3, actions: ['rebuy'] })
    expect(await machineOf(id)).toBeUndefined()
    expect(await driver.listWorkspaces()).toContain(id)
    await orders.pass(GRACE - HOUR)
    await settle()
    await buyer.signIn()
    const as = { token: buyer.token }
    const again = (await call('orders.create', { ...SMALLEST, duration: 200, rebuy: id }, as)).data.id
    const { data: payment } = await call('orders.payment', { id: again }, as)
    await call('orders.hash', { id: again, hash: await buyer.pay(payment) }, as)
    await orders.work()
    await settle()
    expect(await orderOf(buyer, again)).toMatchObject({ status: 2, workspace_id: id })
    expect((await machineOf(id))?.state).toBe('running')
    expect((await sh(id, 'cat /data/kept /root/changed')).output).toBe('kept\nchanged')
    // The first order is over, the second is not.
    await orders.pass(4 * DAY)
    expect((await machineOf(id))?.state).toBe('running')
    await buyer.signIn()
    await call('orders.terminate', { id: again }, { token: buyer.token })
    await settle()
  })

  it('that is not bought again is removed after the grace period', async () => {
    const { id } = await bought()
    await expire()
    expect(await driver.listWorkspaces()).toContain(id)
    await orders.pass(GRACE + HOUR)
    await settle()
    expect(await driver.listWorkspaces()).not.toContain(id)
  })

  it('that its owner terminates is refunded and removed from the machine', async () => {
    const { buyer, id } = await bought()
    const as = { token: buyer.token }
    const before = await buyer.balance()
    const { data: estimate } = await call('orders.refund', { id }, as)
    await call('orders.terminate', { id }, as)
    await settle()
    const order = await orderOf(buyer, id)
    expect(order).toMatchObject({ status: 9, refund: estimate.exact, actions: [] })
    expect(await buyer.balance()).toBe(before + BigInt(estimate.exact.replace('.', '')))
    expect(await driver.list(id)).toEqual([])
    expect(await driver.listWorkspaces()).not.toContain(id)
    expect(crashes).toBeGreaterThan(8)
  })

  it('that exceeds the capacity of the cluster is refused', async () => {
    const buyer = await orders.buyer(20_000)
    const { err } = await call('orders.create', { ...SMALLEST, ram: 32, cpu: 1 }, { token: buyer.token })
    expect(err).toBeDefined()
    expect(await driver.list()).toEqual([])
  })
})
