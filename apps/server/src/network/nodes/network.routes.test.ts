import { afterAll, beforeAll, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let nodes: Awaited<ReturnType<TestEnv['node']>>[]
beforeAll(async () => {
  env = await setup()
  nodes = [
    await env.node({ free: 1000 }),
    await env.node({ kind: 'edge', free: 500, area: 'Asia-Japan-Tokyo-Tokyo' }),
    await env.node({ kind: 'validator', free: 0 }),
    await env.node({ status: 'offline', free: 10_000 }),
  ]
})
afterAll(() => env.close())

it('summarizes the nodes of the network', async () => {
  const { data } = await env.call('network.summary', {})
  expect(data).toEqual({
    total_node_count: 4,
    online_node_count: 3,
    candidate_count: 2,
    edge_count: 1,
    validator_count: 1,
    area_count: 2,
    total_storage: 1500,
    storage_used: 0,
    ip_count: 1,
    cpu_cores: 6,
    memory: 3_000_000,
    asset_count: 0,
    replica_count: 0,
    t_average_replica: 0,
  })
  expect((await env.call('network.onlineDevices', {})).data.online_device_num).toBe(3)
})

it('shows nodes on the map with masked addresses, spread where they coincide', async () => {
  const { data } = await env.call('network.map', {})
  expect(data.list).toHaveLength(3)
  expect(data.list.every((point) => point.ip === '127.xxx.xxx.1')).toBe(true)
  expect(new Set(data.list.map((point) => String(point.value))).size).toBe(3)
  expect(data.list.map((point) => point.nodeType).sort()).toEqual([1, 2, 3])
})

it('returns the map of one node in any state', async () => {
  const { data } = await env.call('network.map', { device_id: nodes[3]?.id })
  expect(data.list).toMatchObject([{ node_id: nodes[3]?.id, status: 'offline' }])
})

it('reports health while the database answers', async () => {
  expect((await env.call('network.health', {})).data).toEqual({ msg: 'success', database: true, nodes_online: 3 })
})

it('reports health while every connection of the pool is in use', async () => {
  const { pool } = env.db
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    const waiting = pool.query('select 1')
    expect(await env.call('network.health', {})).toMatchObject({ status: 200, code: 0, data: { nodes_online: 3 } })
    expect((await env.app.inject('/livez')).json()).toEqual({ alive: true })
    expect(pool.waitingCount).toBe(1)
    for (const client of taken.splice(0)) client.release()
    await waiting
  } finally {
    for (const client of taken) client.release()
  }
})

it('returns an empty map for an unknown node, whatever its id', async () => {
  for (const device_id of ['nobody', "' or 1=1 --"])
    expect((await env.call('network.map', { device_id })).data.list).toEqual([])
})
