import { randomBytes } from 'node:crypto'
import type { Input, nodeControl } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_NAMES } from '../../apps/server/src/network/names/config.ts'
import { relaysFor } from '../../apps/server/src/network/relays/choose.ts'
import { isRelayed } from '../../apps/server/src/network/relays/places.ts'
import { recordPaidDownloads } from '../../apps/server/src/network/relays/relayed.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Relays and devices that claim more than was passed on, and relays that choose their devices. */

let env: TestEnv
beforeAll(async () => {
  env = await setup({ privateNodes: true, names: { ...NO_NAMES, zone: 'relayed.example.net' } })
})
afterAll(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>
type Statement = NonNullable<Input<typeof nodeControl.relays>['relayed']>[number]

const HOUR = 3_600_000
const at = () => new Date(env.clock.now())
const sessionOf = (agoMs = 0) =>
  `${Math.floor((env.clock.now() - agoMs) / 1000)}-${randomBytes(12).toString('base64url')}`

/** A relay and a device to which the server gave it. */
async function pair() {
  const [relay, device] = [await env.node(), await env.node({ kind: 'edge' })]
  await relaysFor(env.db, device.id, [{ node_id: relay.id }], at())
  return { relay, device }
}
const statement = (relay: Node, device: Node, bytes: number, session = sessionOf()): Statement => ({
  device: device.id,
  session,
  bytes,
  signature: device.relayedSignature(session, relay.id, device.id, bytes),
  relay_signature: relay.relayedSignature(session, relay.id, device.id, bytes),
})
const report = (relay: Node, ...relayed: Statement[]) => env.call('nodeControl.relays', { relayed }, relay)
const passedOn = async ({ id }: Node) => (await env.call('explorer.node', { node_id: id })).data.passed_on

describe('what a relay passed on', () => {
  it('is what both signed, and the largest number of each session', async () => {
    const { relay, device } = await pair()
    const [first, second] = [sessionOf(), sessionOf(HOUR)]
    expect(await passedOn(relay)).toBeNull()
    await report(relay, statement(relay, device, 1000, first), statement(relay, device, 700, second))
    await report(relay, statement(relay, device, 5000, first))
    // An older report that comes late, and one that is repeated.
    await report(relay, statement(relay, device, 3000, first))
    const last = statement(relay, device, 5000, first)
    await Promise.all([1, 2, 3, 4].map(() => report(relay, last, last, statement(relay, device, 900, second))))
    expect(await passedOn(relay)).toEqual({ signed: 5900, paid: 0 })
    expect(await passedOn(device)).toBeNull()
  })

  it('counts as paid only as far as downloads from the device were, divided between its relays', async () => {
    const { relay, device } = await pair()
    const other = await env.node()
    await relaysFor(env.db, device.id, [{ node_id: relay.id }, { node_id: other.id }], at())
    await report(relay, statement(relay, device, 3000))
    await report(other, statement(other, device, 1000))
    expect(await passedOn(relay)).toEqual({ signed: 3000, paid: 0 })
    await recordPaidDownloads(env.db, device.id, 2000, at())
    expect(await passedOn(relay)).toEqual({ signed: 3000, paid: 1500 })
    expect(await passedOn(other)).toEqual({ signed: 1000, paid: 500 })
    await recordPaidDownloads(env.db, device.id, 1_000_000, at())
    expect(await passedOn(relay)).toEqual({ signed: 3000, paid: 3000 })
  })

  it('is shown to the owner of the relay', async () => {
    const owner = await env.person()
    const [relay, device] = [await env.node({ owner }), await env.node({ kind: 'edge' })]
    await relaysFor(env.db, device.id, [{ node_id: relay.id }], at())
    await report(relay, statement(relay, device, 4000))
    const { list } = (await env.call('devices.list', {}, owner)).data
    expect(list).toMatchObject([{ node_id: relay.id, passed_on: { signed: 4000, paid: 0 } }])
  })

  it.each<[string, (relay: Node, device: Node, other: Node) => Statement]>([
    [
      'that the device did not sign',
      (relay, device) => ({ ...statement(relay, device, 1000), signature: randomBytes(64).toString('base64url') }),
    ],
    [
      'for which another node signed',
      (relay, device, other) => ({
        ...statement(relay, device, 1000),
        signature: statement(relay, other, 1000).signature,
      }),
    ],
    [
      'that the relay did not sign itself',
      (relay, device, other) => {
        const one = statement(relay, device, 1000)
        return { ...one, relay_signature: other.relayedSignature(one.session, relay.id, device.id, 1000) }
      },
    ],
    ['with a larger number than was signed', (relay, device) => ({ ...statement(relay, device, 1000), bytes: 2000 })],
    ['in another session', (relay, device) => ({ ...statement(relay, device, 1000), session: sessionOf() })],
    ['for a node that has other relays', (relay, _, other) => statement(relay, other, 1000)],
    ['for the relay itself', (relay) => statement(relay, relay, 1000)],
    ['of another relay', (_, device, other) => statement(other, device, 1000)],
    [
      'of a session long ago, which could be reported again',
      (relay, device) => statement(relay, device, 1000, sessionOf(80 * HOUR)),
    ],
    ['of a session that has not begun', (relay, device) => statement(relay, device, 1000, sessionOf(-HOUR))],
  ])('does not count %s', async (_, make) => {
    const { relay, device } = await pair()
    const other = await env.node()
    expect((await report(relay, make(relay, device, other))).code).toBe(0)
    expect(await passedOn(relay)).toBeNull()
    expect(await passedOn(other)).toBeNull()
  })

  it('earns nothing for an owner of relay and device who sign any number', async () => {
    const owner = await env.person()
    const [relay, device] = [await env.node({ owner }), await env.node({ kind: 'edge', owner })]
    await relaysFor(env.db, device.id, [{ node_id: relay.id }], at())
    await report(relay, statement(relay, device, 10 ** 15))
    expect((await passedOn(relay))?.paid).toBe(0)
    expect((await env.call('nodeControl.earnings', {}, relay)).data).toMatchObject({ today: 0, total: 0 })
  })

  it.each([{ bytes: -1 }, { bytes: 0 }, { bytes: 1.5 }, { session: 'x' }, { session: "1-'; drop table nodes; --" }])(
    'is refused with %j',
    async (wrong) => {
      const { relay, device } = await pair()
      expect((await report(relay, { ...statement(relay, device, 1), ...wrong })).err).toBe(1001)
    },
  )
})

describe('a node behind a relay', () => {
  const networkOf = async ({ id }: Node) =>
    (await env.db.one<{ network: string }>(sql`select network from nodes where id = ${id}`)).network
  const behindRelay = async () => {
    const node = await env.node({ kind: 'edge', network: '198.51.100.0/24' })
    await env.db.run(sql`update nodes set relayed = true where id = ${node.id}`)
    return node
  }
  const callFrom = (node: Node, ip: string) => env.call('nodeControl.relays', {}, { ...node, ip })

  it('is in the network from which it calls now', async () => {
    const node = await behindRelay()
    await callFrom(node, '203.0.113.7')
    expect(await networkOf(node)).toBe('203.0.113.0/24')
  })

  it('shares it with others of its machine, wherever they registered', async () => {
    const nodes = await Promise.all([1, 2, 3].map(behindRelay))
    for (const node of nodes) await callFrom(node, '203.0.113.9')
    expect(new Set(await Promise.all(nodes.map(networkOf))).size).toBe(1)
  })

  it('is alone in that: others are in the network where the server reaches them', async () => {
    const node = await env.node({ kind: 'edge', network: '198.51.100.0/24' })
    await callFrom(node, '203.0.113.7')
    expect(await networkOf(node)).toBe('198.51.100.0/24')
  })

  it('is one whose address is that of a relay which the server gave it, not of one that claims an address', async () => {
    const [relay, device, stranger] = [
      await env.node(),
      await env.node({ kind: 'edge' }),
      await env.node({ kind: 'edge' }),
    ]
    await relaysFor(env.db, device.id, [{ node_id: relay.id }], at())
    await env.call('nodeControl.relays', { serves: { address: '127.0.0.1', port: 4431 } }, relay)
    const isBehind = ({ id }: Node) =>
      isRelayed(env.context, env.db, { id, url: `https://127-0-0-1.${'a'.repeat(32)}.relayed.example.net:4431` })
    expect(await isBehind(device)).toBe(true)
    expect(await isBehind(stranger)).toBe(false)
  })
})

describe('a relay', () => {
  it('is kept for a node, also over its outage', async () => {
    const node = await env.node({ kind: 'edge' })
    const relays = await Promise.all(Array.from({ length: 6 }, async () => ({ node_id: (await env.node()).id })))
    const first = await relaysFor(env.db, node.id, relays, at())
    expect(first).toHaveLength(2)
    expect(await relaysFor(env.db, node.id, relays, at())).toEqual(first)
    const [lost, kept] = first
    const during = await relaysFor(
      env.db,
      node.id,
      relays.filter((relay) => relay !== lost),
      at(),
    )
    expect(during).toContainEqual(kept)
    expect(during).toHaveLength(2)
    expect(await relaysFor(env.db, node.id, relays, at())).toEqual(first)
  })

  it('cannot come to a node by registering ids until one is next to it', async () => {
    const node = await env.node({ kind: 'edge' })
    const honest = await Promise.all([1, 2].map(async () => ({ node_id: (await env.node()).id })))
    const chosen = await relaysFor(env.db, node.id, honest, at())
    const forged = await Promise.all(Array.from({ length: 20 }, async () => ({ node_id: (await env.node()).id })))
    expect(await relaysFor(env.db, node.id, [...forged, ...honest], at())).toEqual(chosen)
  })
})
