import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { NodeStats } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { openTrace } from '../../storage/traces/service.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { findSilentNodes } from '../nodes/silence.ts'
import { countFigures, refreshFigures } from './figures.ts'

let env: TestEnv
beforeEach(async () => {
  env = await setup()
})
afterEach(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>
const HOUR = 3600 * 1000
const SIZE = 100_000
const stats: NodeStats = {
  capacity: 1e12,
  used: 5,
  free: 1e12,
  load: 0,
  uploads: 0,
  downloads: 0,
  receive_rate: 70,
  send_rate: 90,
  contents: 0,
}

const heartbeat = (node: Node) => env.call('nodeControl.heartbeat', { stats, time: env.clock.now() }, node)
/** Advances the clock, while nodes send heartbeats. */
async function stay(ms: number) {
  env.pass(ms)
  await env.heard()
}
/** Advances the clock without heartbeats, then marks silent nodes offline. */
async function silence(ms: number) {
  env.pass(ms)
  await findSilentNodes(env.context)
}
const show = async (node: Node) => (await env.call('explorer.node', { node_id: node.id })).data
const list = async (input: Parameters<typeof env.call<'explorer.nodes'>>[1] = {}) =>
  (await env.call('explorer.nodes', input)).data
const transfers = async () => (await env.call('explorer.transfers', {})).data.list

async function upload(node: Node): Promise<{ cid: string; uid: string }> {
  const { uid } = await env.person()
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  const receipt = await node.receipt({ sub: uid, cid, size: SIZE })
  await env.call('nodeControl.receipts', { receipts: [receipt] }, node)
  return { cid, uid }
}
const traceOf = (offered: Node[], { cid, uid }: { cid: string; uid: string }) =>
  openTrace(env.db, {
    account: uid,
    kind: 'download',
    cid,
    name: '',
    offered: offered.map(({ id }) => id),
    at: new Date(env.clock.now()),
  })
async function serveIt(
  node: Node,
  { cid, uid }: { cid: string; uid: string },
  { batch = randomUUID(), trace, bytes = 60_000 }: { batch?: string; trace?: string; bytes?: number } = {},
) {
  const trace_id = trace ?? (await traceOf([node], { cid, uid }))
  const transfer = { account: uid, trace_id, cid, bytes, requests: 1, peak: 1, time: env.clock.now() }
  await env.call('nodeControl.served', { batch, transfers: [transfer] }, node)
}
async function replicate(cid: string, to: Node, source: string) {
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, lease_until, changed_at)
    values (${cid}, ${to.id}, 'pulling', ${new Date(env.clock.now() + HOUR)}, ${new Date(env.clock.now())})`)
  await env.call('nodeControl.replicas', { results: [{ cid, state: 'stored', size: SIZE, source }] }, to)
}

describe('nodes', () => {
  it('are listed with location, resources and speed', async () => {
    const node = await env.node({ kind: 'validator', area: 'Asia-Japan-Tokyo-Tokyo' })
    await heartbeat(node)
    await upload(node)
    await countFigures(env.context)
    const { list: nodes, total } = await list()
    expect(total).toBe(1)
    expect(nodes[0]).toMatchObject({
      node_id: node.id,
      type: 3,
      area: 'Japan',
      area_id: 'Asia-Japan-Tokyo-Tokyo',
      lat: 50,
      lng: 8,
      status: 'online',
      capacity: 1e12,
      used: 5,
      replicas: 1,
      upload_speed: 70,
      download_speed: 90,
      audits_passed_7d: 0,
    })
    expect(Object.keys(nodes[0] ?? {})).not.toContain('ip')
  })

  it('are paged, filtered by area, kind and status, and sorted', async () => {
    const small = await env.node({ area: 'Asia-Japan-Tokyo-Tokyo', free: 10 })
    const large = await env.node({ kind: 'edge', free: 1000 })
    const away = await env.node({ free: 100, status: 'offline' })
    const ids = async (input: Parameters<typeof list>[0]) => (await list(input)).list.map(({ node_id }) => node_id)
    expect(await ids({ sort: 'capacity' })).toEqual([large.id, away.id, small.id])
    expect(await ids({ sort: 'capacity', size: 2, page: 2 })).toEqual([small.id])
    expect((await list({ size: 2 })).total).toBe(3)
    expect((await ids({ sort: 'online' })).at(-1)).toBe(away.id)
    expect(await ids({ area: 'Japan' })).toEqual([small.id])
    expect(await ids({ area: 'Asia-Japan-Tokyo-Tokyo' })).toEqual([small.id])
    expect(await ids({ type: 1 })).toEqual([large.id])
    expect(await ids({ status: 'offline' })).toEqual([away.id])
    for (const sort of ['uptime', 'used', 'upload', 'download', 'name', 'newest'] as const)
      expect(await ids({ sort })).toHaveLength(3)
  })

  it('have an uptime computed from their heartbeats', async () => {
    const node = await env.node()
    await heartbeat(node)
    await stay(6 * HOUR)
    await silence(6 * HOUR)
    expect(await show(node)).toMatchObject({ status: 'offline', online_since: null, uptime_24h: 0.5, uptime_30d: 0.5 })
    await heartbeat(node)
    const back = new Date(env.clock.now())
    await stay(12 * HOUR)
    const seen = await show(node)
    expect(seen).toMatchObject({ status: 'online', uptime_24h: 0.75, uptime_7d: 0.75 })
    expect(Math.abs(new Date(seen.online_since ?? 0).getTime() - back.getTime())).toBeLessThan(1000)
    await stay(6 * HOUR)
    expect((await show(node)).uptime_24h).toBe(0.75)
    expect((await show(node)).days.length).toBeGreaterThan(1)
  })

  it('were not online in a time without heartbeats, also if nobody noticed it', async () => {
    const node = await env.node()
    await heartbeat(node)
    await stay(6 * HOUR)
    env.pass(6 * HOUR)
    await heartbeat(node)
    expect(await show(node)).toMatchObject({ status: 'online', uptime_24h: 0.5, uptime_30d: 0.5 })
  })

  it('have one row per online span, however many heartbeats they send', async () => {
    const node = await env.node()
    for (let beats = 0; beats < 5; beats++) {
      await heartbeat(node)
      env.pass(10_000)
    }
    const spans = () => env.db.rows(sql`select * from online_spans where node_id = ${node.id}`)
    expect(await spans()).toHaveLength(1)
    await silence(HOUR)
    await Promise.all([heartbeat(node), heartbeat(node)])
    expect(await spans()).toHaveLength(2)
    await silence(32 * 24 * HOUR)
    env.pass(32 * 24 * HOUR)
    await deleteExpired(env.context, features)
    expect(await spans()).toHaveLength(0)
  })

  it('have the audits of the last week', async () => {
    const node = await env.node()
    for (const [state, days] of [
      ['passed', 1],
      ['passed', 2],
      ['failed', 3],
      ['late', 1],
      ['failed', 8],
    ] as const)
      await env.db.run(sql`
        insert into audits (id, cid, node_id, validator_id, position, state, created_at)
        values (${randomUUID()}, 'x', ${node.id}, 'v', 0, ${state}, ${new Date(env.clock.now() - days * 24 * HOUR)})`)
    await countFigures(env.context)
    expect(await show(node)).toMatchObject({ audits_passed_7d: 2, audits_failed_7d: 1 })
  })
})

it('areas have totals of their online nodes', async () => {
  const [one] = [
    await env.node({ area: 'Asia-Japan-Tokyo-Tokyo', free: 10 }),
    await env.node({ area: 'Asia-Japan-Osaka-Osaka', free: 20 }),
    await env.node({ area: 'Asia-Japan-Osaka-Osaka', free: 40, status: 'offline' }),
    await env.node({ free: 5 }),
  ]
  await upload(one)
  await countFigures(env.context)
  const { list: areas } = (await env.call('explorer.areas', {})).data
  expect(areas).toEqual([
    { area: 'Japan', lat: 50, lng: 8, nodes: 3, nodes_online: 2, capacity: 30, used: 0, replicas: 1 },
    { area: 'Germany', lat: 50, lng: 8, nodes: 1, nodes_online: 1, capacity: 5, used: 0, replicas: 0 },
  ])
})

describe('transfers', () => {
  it('are recorded once per receipt, served report and finished replica', async () => {
    const [japan, germany] = [await env.node({ area: 'Asia-Japan-Tokyo-Tokyo' }), await env.node()]
    const stored = await upload(japan)
    await serveIt(japan, stored, { batch: 'batch' })
    await serveIt(japan, stored, { batch: 'batch' })
    await replicate(stored.cid, germany, japan.id)
    const there = { lat: 50, lng: 8, area: 'Japan' }
    expect(await transfers()).toMatchObject([
      { kind: 'replica', size: SIZE, from: there, to: { area: 'Germany' } },
      { kind: 'download', size: 60_000, from: there, to: null },
      { kind: 'upload', size: SIZE, from: null, to: there },
    ])
    const uploads = (await env.call('explorer.transfers', { kind: 'upload' })).data
    expect(uploads).toMatchObject({ total: 1, list: [{ kind: 'upload' }] })
  })

  it('count once, however many parts a node reports and however many nodes serve it', async () => {
    const [japan, germany] = [await env.node({ area: 'Asia-Japan-Tokyo-Tokyo' }), await env.node()]
    const stored = await upload(japan)
    await replicate(stored.cid, germany, japan.id)
    const before = (await transfers()).length
    const trace = await traceOf([japan, germany], stored)
    for (const node of [japan, japan, germany, japan]) await serveIt(node, stored, { trace })
    expect((await transfers()).slice(0, -before)).toMatchObject([
      { kind: 'download', size: 60_000, from: { area: 'Germany' } },
      { kind: 'download', size: 180_000, from: { area: 'Japan' } },
    ])
    await countFigures(env.context)
    const { data } = await env.call('explorer.figures', {})
    expect(data).toMatchObject({ transfers_24h: before + 1, bytes_transferred_24h: 2 * SIZE + 240_000 })
  })

  it('do not include probes with one byte', async () => {
    const node = await env.node()
    const stored = await upload(node)
    const before = await transfers()
    await serveIt(node, stored, { bytes: 1 })
    expect(await transfers()).toEqual(before)
  })

  it('name neither accounts nor contents nor addresses', async () => {
    const node = await env.node()
    const stored = await upload(node)
    await serveIt(node, stored)
    const text = JSON.stringify(await transfers())
    for (const secret of [stored.cid, stored.uid, node.id, '127.0.0.1']) expect(text).not.toContain(secret)
  })

  it('can be paged up to ten thousand', async () => {
    const node = await env.node()
    await env.db.run(sql`
      insert into transfers (kind, size, to_node, at)
      select 'upload', 1, ${node.id}, ${new Date(env.clock.now())} from generate_series(1, 10050)`)
    const page = async (page: number, size: number) => (await env.call('explorer.transfers', { page, size })).data
    expect((await page(1, 10)).total).toBe(10_000)
    expect((await page(100, 100)).list).toHaveLength(100)
    expect((await page(145, 69)).list).toHaveLength(64)
    for (const deep of [101, 100_000]) expect((await page(deep, 100)).list).toEqual([])
  })

  it('are rounded, so that a file cannot be recognized by its size', async () => {
    const node = await env.node()
    await env.db.run(sql`
      insert into transfers (kind, size, to_node, at)
      select 'upload', size, ${node.id}, '2026-03-01T12:00:07.891Z' from unnest('{987654321, 123456, 7, 0}'::bigint[]) size`)
    env.pass(Date.parse('2026-03-01T13:00:00Z') - env.clock.now())
    const told = await transfers()
    expect(told.map(({ size }) => size).sort((a, b) => b - a)).toEqual([990_000_000, 120_000, 7, 0])
    expect(new Set(told.map(({ at }) => at))).toEqual(new Set(['2026-03-01T12:00:07.000Z']))
  })

  it('are deleted after two days', async () => {
    await upload(await env.node())
    env.pass(49 * HOUR)
    expect(await transfers()).toEqual([])
    await deleteExpired(env.context, features)
    expect(await env.db.rows(sql`select 1 from transfers`)).toEqual([])
  })
})

it('figures describe the network', async () => {
  const [node] = [await env.node({ free: 100 }), await env.node({ status: 'offline' })]
  const stored = await upload(node)
  await serveIt(node, stored)
  const { id } = await env.person()
  await env.db.run(sql`
    insert into wallets (address, kind, user_id, bound_at) values ('tide1bound', 'cosmos', ${id}, ${new Date(env.clock.now())})`)
  await countFigures(env.context)
  const { data } = await env.call('explorer.figures', {})
  expect(data).toMatchObject({
    registered_nodes: 2,
    online_devices: 1,
    storage_space: 100,
    unique_ips: 1,
    cpu_cores: 2,
    countries: 1,
    active_wallets: 1,
    bytes_stored: SIZE,
    replicas: 1,
    bytes_transferred_24h: SIZE + 60_000,
    transfers_24h: 2,
    audits_24h: 0,
  })
})

it('uptime covers all nodes and includes the observed time', async () => {
  const figures = async () => {
    await countFigures(env.context)
    return (await env.call('explorer.figures', {})).data
  }
  expect(await figures()).toMatchObject({ uptime: null, uptime_hours: 0 })
  const [stays, leaves] = [await env.node(), await env.node()]
  await Promise.all([heartbeat(stays), heartbeat(leaves)])
  await stay(10 * HOUR)
  await env.db.run(sql`
    update online_spans set ended = ${new Date(env.clock.now() - 5 * HOUR)} where node_id = ${leaves.id}`)
  const { uptime, uptime_hours } = await figures()
  expect(uptime).toBeCloseTo(0.75, 3)
  expect(uptime_hours).toBeCloseTo(10, 2)
  env.pass(40 * 24 * HOUR)
  expect((await figures()).uptime_hours).toBeCloseTo(30 * 24, 2)
})

it('figures are refreshed in the background by one server when they are due', async () => {
  const node = await env.node()
  const replicas = async () => {
    await Promise.all([refreshFigures(env.context), refreshFigures(env.context)])
    return [(await show(node)).replicas, (await env.call('explorer.figures', {})).data.replicas]
  }
  expect(await replicas()).toEqual([0, 0])
  await upload(node)
  expect(await replicas()).toEqual([0, 0])
  env.pass(HOUR)
  expect(await replicas()).toEqual([1, 1])
  expect((await env.call('network.summary', {})).data).toMatchObject({ asset_count: 1, replica_count: 1 })
})

describe('refused are', () => {
  it('an unknown node', async () => {
    expect(await env.call('explorer.node', { node_id: 'e_nobody' })).toMatchObject({ code: -1, err: 1000 })
  })

  it.each([{ size: 101 }, { page: 0 }, { sort: 'ip' }, { status: 'lost' }, { type: 4 }])(
    'pages of %o',
    async (input) => {
      expect(await env.call('explorer.nodes', input as never)).toMatchObject({ code: -1, err: 1001 })
    },
  )

  it('transfers of replicas from a node without the content, or that the node already had', async () => {
    const [japan, germany, other] = [await env.node(), await env.node(), await env.node()]
    const { cid } = await upload(japan)
    await replicate(cid, germany, 'c_somebody')
    await replicate(cid, other, '')
    expect((await transfers()).map(({ kind }) => kind)).toEqual(['upload'])
  })
})
