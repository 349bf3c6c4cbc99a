import { randomUUID } from 'node:crypto'
import { GiB } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshNetworkFigures } from '../../apps/server/src/network/explorer/figures-repository.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { READS_PER_TRACE } from '../../apps/server/src/storage/download-traffic/served.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type HostileNode, hostileNode } from './hostile-node.ts'

/** How much traffic a node can charge to an account. */

const SIZE = 1_000_000

let env: TestEnv
let edge: HostileNode
beforeAll(async () => {
  env = await setup()
  edge = await hostileNode(env)
  const now = new Date(env.clock.now())
  await env.db.run(sql`update nodes set reachable = true, vetted_at = ${now} where id = ${edge.id}`)
})
afterAll(() => env.close())

const sentOf = async ({ id }: Person) =>
  (
    await env.db.one<{ sent: number }>(
      sql`select coalesce(sum(sent), 0) as sent from usage_hours where user_id = ${id}`,
    )
  ).sent
const reported = (more: object = {}) => ({ bytes: 2_000_000_000, requests: 1_000_000_000, ...more })
const ONE_READ = SIZE * 1.125 + 65_536
/** The limit per trace. */
const MOST = READS_PER_TRACE * ONE_READ

/** A shared file that the hostile node also holds, and a visitor's download address. */
async function visited(nodes: { id: string }[] = [edge]) {
  const sharer = await env.person()
  const { cid } = await sampleFile(env.db, sharer.id, { size: SIZE, nodes })
  await env.call('shares.setStatus', { cid }, sharer)
  const open = async () => (await env.call('downloads.open', { asset_cid: cid, user_id: sharer.uid })).data.trace_id
  return { sharer, cid, open, traceId: await open() }
}

describe('bytes that a node reports as sent', () => {
  it('count up to the limit of the trace, for any number of reports', async () => {
    const { sharer, cid, traceId } = await visited()
    const one = reported({ account: sharer.uid, cid, trace_id: traceId })
    await Promise.all(Array.from({ length: 10 }, () => edge.served([one, one, one])))
    expect(await sentOf(sharer)).toBeLessThanOrEqual(MOST)
    expect(await sentOf(sharer)).toBeGreaterThan(SIZE)
  })

  it('count up to the limit of the trace, for any number of nodes that report at once', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => hostileNode(env)))
    const nodes = [edge, ...others]
    await env.db.run(sql`update nodes set reachable = true where id = any(${nodes.map(({ id }) => id)})`)
    const { sharer, cid, traceId } = await visited(nodes)
    await env.db.run(sql`update traces set offered = ${nodes.map(({ id }) => id)} where id = ${traceId}`)
    const one = reported({ account: sharer.uid, cid, trace_id: traceId })
    await Promise.all(nodes.map((node) => node.served([one, one])))
    expect(await sentOf(sharer)).toBeLessThanOrEqual(MOST)
    expect(await sentOf(sharer)).toBeGreaterThan(SIZE)
  })

  it('do not count for an upload, not even at the node that took it, nor for a transfer that only its client reported', async () => {
    const owner = await env.person()
    const { cid } = await sampleFile(env.db, owner.id, { size: SIZE, nodes: [edge] })
    await env.node()
    const { TraceID: upload } = (await env.call('uploads.info', { size: SIZE }, owner)).data
    await env.db.run(sql`update traces set cid = ${cid}, offered = ${[edge.id]} where id = ${upload}`)
    await edge.served([reported({ account: owner.uid, cid, trace_id: upload })])
    for (const transfer_type of ['upload', 'download'] as const) {
      const more = { state: 0, cost_ms: 0, total_size: SIZE, rate: 0 }
      const { trace_id } = (await env.call('traces.report', { trace_id: '', transfer_type, cid, ...more }, owner)).data
      await edge.served([reported({ account: owner.uid, cid, trace_id })])
    }
    expect(await sentOf(owner)).toBe(0)
  })

  it('count as one read at most from an edge that is not vetted', async () => {
    const newcomer = await hostileNode(env)
    const owner = await env.person()
    const { cid } = await sampleFile(env.db, owner.id, { size: SIZE, nodes: [edge] })
    const { trace_id } = (await env.call('downloads.own', { asset_cid: cid }, owner)).data
    await env.db.run(sql`update traces set offered = ${[newcomer.id]} where id = ${trace_id}`)
    const one = reported({ account: owner.uid, cid, trace_id })
    for (let time = 0; time < 3; time++) await newcomer.served([one, one])
    expect(await sentOf(owner)).toBeLessThanOrEqual(ONE_READ)
    expect(await sentOf(owner)).toBeGreaterThanOrEqual(SIZE)
  })

  it('for a visitor count as one read of the content, at all nodes together', async () => {
    const other = await hostileNode(env)
    await env.db.run(sql`update nodes set vetted_at = ${new Date(env.clock.now())} where id = ${other.id}`)
    const { sharer, cid, traceId } = await visited()
    await env.db.run(sql`update traces set offered = ${[edge.id, other.id]} where id = ${traceId}`)
    const one = reported({ account: sharer.uid, cid, trace_id: traceId })
    for (const node of [edge, other]) await node.served([one, one])
    expect(await sentOf(sharer)).toBeLessThanOrEqual(ONE_READ)
    expect(await sentOf(sharer)).toBeGreaterThanOrEqual(SIZE)
  })

  it('for visitors from one network are charged up to a quarter of the quota a day, and others can still visit', async () => {
    const quota = 100 * GiB
    const sharer = await env.person({ vip: true, downloadQuota: quota })
    const { cid } = await sampleFile(env.db, sharer.id, { size: 3 * GiB, nodes: [edge] })
    await env.db.run(sql`update contents set size = ${3 * GiB} where cid = ${cid}`)
    await env.call('shares.setStatus', { cid }, sharer)
    const open = (ip: string) =>
      env.call('downloads.open', { asset_cid: cid, user_id: sharer.uid, preview: true }, { ip })
    const report = ({ data }: Awaited<ReturnType<typeof open>>) =>
      edge.served([reported({ account: sharer.uid, cid, trace_id: data.trace_id, bytes: 3 * GiB })])
    const attack = async (ip: () => string) => {
      const opened = await Promise.all(Array.from({ length: 20 }, () => open(ip())))
      await Promise.all(opened.filter(({ code }) => code === 0).map(report))
    }
    await attack(() => '203.0.113.7')
    expect(await sentOf(sharer)).toBe(quota / 4)
    expect((await open('203.0.113.7')).err).toBe(2066)
    expect((await open('203.0.113.8')).code).toBe(0)
    let hosts = 0
    await attack(() => `2001:db8:9:${++hosts}::1`)
    expect(await sentOf(sharer)).toBe(quota / 2)
    // The next day they can visit again.
    env.pass(24 * 3600_000)
    expect((await open('203.0.113.7')).code).toBe(0)
  })

  it('are charged up to the monthly quota of the account, in any number of downloads at once', async () => {
    const quota = 3 * SIZE
    const sharer = await env.person({ vip: true, downloadQuota: quota })
    const { cid } = await sampleFile(env.db, sharer.id, { size: SIZE, nodes: [edge] })
    await env.call('shares.setStatus', { cid }, sharer)
    const open = async () => (await env.call('downloads.open', { asset_cid: cid, user_id: sharer.uid })).data.trace_id
    const traces = await Promise.all(Array.from({ length: 4 }, open))
    const aMonthAgo = env.clock.now() - 31 * 86_400_000
    await Promise.all(
      traces.map((trace_id, index) =>
        edge.served([reported({ account: sharer.uid, cid, trace_id, ...(index === 0 && { time: aMonthAgo }) })]),
      ),
    )
    expect(await sentOf(sharer)).toBe(quota)
  })

  it('count again with a new address, and once for an honest download', async () => {
    const { sharer, cid, traceId, open } = await visited()
    const half = { account: sharer.uid, cid, bytes: SIZE / 2 }
    for (const trace_id of [traceId, await open()])
      for (let part = 0; part < 2; part++) await edge.served([{ ...half, trace_id }])
    expect(await sentOf(sharer)).toBe(2 * SIZE)
  })

  it('do not count from a node that was not offered, even if it holds the content', async () => {
    const { sharer, cid, traceId } = await visited([await env.node()])
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${edge.id}, 'stored', ${new Date()})`)
    await edge.served([reported({ account: sharer.uid, cid, trace_id: traceId })])
    expect(await sentOf(sharer)).toBe(0)
  })

  it('in impossible amounts are refused or capped, and never make a server fail', async () => {
    const { sharer, cid, traceId } = await visited()
    const one = { account: sharer.uid, cid, trace_id: traceId }
    for (const wrong of [{ requests: 1e15 }, { requests: 2 ** 53 }, { bytes: 2 ** 63 }, { peak: 1e30 }])
      expect(await edge.served([{ ...one, ...wrong }])).toMatchObject({ code: -1, err: 1001 })
    const large = { ...one, bytes: Number.MAX_SAFE_INTEGER, requests: 1_000_000_000, peak: Number.MAX_SAFE_INTEGER }
    // A content of the largest size that numbers allow.
    await env.db.run(sql`update contents set size = ${Number.MAX_SAFE_INTEGER} where cid = ${cid}`)
    for (let round = 0; round < 3; round++)
      expect((await edge.served(Array.from({ length: 1000 }, () => large))).code).toBe(0)
    await refreshNetworkFigures(env.db, new Date(env.clock.now()))
    expect((await env.call('explorer.nodes', {})).code).toBe(0)
    expect(await sentOf(sharer)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  })

  it('are limited for anonymous files as well', async () => {
    const node = await env.node()
    const cid = (await sampleFile(env.db, (await env.person()).id, { text: randomUUID(), nodes: [edge] })).cid
    const receipt = await node.receipt({ sub: 'temp:x', cid, size: 20 })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: 20, asset_cid: cid, receipt })
    const { trace_id } = (await env.call('tempFiles.download', { cid })).data
    await edge.served([reported({ account: `temp:${cid}`, cid, trace_id })])
    const { node_bytes } = await env.db.one<{ node_bytes: number }>(
      sql`select node_bytes from traces where id = ${trace_id}`,
    )
    expect(node_bytes).toBeLessThanOrEqual(READS_PER_TRACE * (20 * 1.125 + 65_536))
  })
})
