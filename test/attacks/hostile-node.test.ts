import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeNode } from '../../apps/server/src/network/control/reachability.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type HostileNode, hostileNode } from './hostile-node.ts'

let env: TestEnv
const nodes: HostileNode[] = []
beforeAll(async () => {
  env = await setup()
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await env.close()
})

async function stranger(...how: Parameters<typeof hostileNode> extends [unknown, ...infer More] ? More : never) {
  const node = await hostileNode(env, ...how)
  nodes.push(node)
  return node
}
const rowOf = (node: { id: string }) =>
  env.db.maybe<{ kind: string; status: string; reachable: boolean; url: string }>(
    sql`select kind, status, reachable, url from nodes where id = ${node.id}`,
  )

describe('a hostile node', () => {
  it('can register as an edge, with any address, and again under the same id', async () => {
    const node = await stranger({ url: 'http://192.0.2.1:8000' })
    expect((await node.register({ name: 'again' })).data.node_id).toBe(node.id)
    expect(await rowOf(node)).toMatchObject({ kind: 'edge', status: 'online', url: 'http://192.0.2.1:8000' })
  })

  it('can send heartbeats and gets work', async () => {
    const node = await stranger()
    expect((await node.heartbeat({ stats: { free: 1, send_rate: 10 ** 9 } })).code).toBe(0)
    expect(await node.work()).toEqual([])
  })

  it('answers at its address while it listens', async () => {
    const node = await stranger()
    const url = await node.listen((request, answer) => {
      if (!request.url?.startsWith('/ipfs/')) return false
      answer.end('any bytes')
      return true
    })
    await probeNode(env.context, node.id)
    expect(await rowOf(node)).toMatchObject({ url, reachable: true })
    expect(await (await fetch(`${url}/ipfs/x`)).text()).toBe('any bytes')
    await node.close()
    await probeNode(env.context, node.id)
    expect(await rowOf(node)).toMatchObject({ reachable: false })
  })

  it('can make every node call', async () => {
    const node = await stranger()
    const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
    const answers = [
      await node.deliver(await node.receipt({ sub: 'nobody', cid })),
      await node.served([{ cid, bytes: 1 }]),
      await node.replicas({ cid }),
      await node.inventory([cid]),
      await node.audits({ id: randomUUID() }),
    ]
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
  })

  it('can talk to a listening server', async () => {
    const address = await env.app.listen({ host: '127.0.0.1', port: 0 })
    const node = await hostileNode(address)
    expect((await node.heartbeat()).code).toBe(0)
  })

  it('refused: registering as an invited node, and acting for another node', async () => {
    expect(await rowOf(await stranger({ kind: 'candidate', join_token: 'guess' }))).toBeUndefined()
    const [one, other] = [await stranger(), await stranger()]
    const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
    expect(await one.deliver(await other.receipt({ cid, sub: 'x' }))).toMatchObject({ code: -1, err: 1021 })
    one.token = 'made up'
    expect((await one.heartbeat()).code).toBe(401)
  })
})
