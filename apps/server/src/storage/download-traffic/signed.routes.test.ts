import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeToken } from '../../network/nodes/node-session.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { clientKey } from './client-key.fixture.ts'
import { expired } from './node-traffic-repository.ts'

type TestNode = Awaited<ReturnType<TestEnv['node']>>

let env: TestEnv
/** The owner of the nodes. */
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person()
})
afterAll(() => env.close())

const SIZE = 1_000_000
const client = clientKey()

/** A download by its owner from nodes of its own, so that their traffic is all of this download. */
async function download(
  more: { vip?: boolean; downloadQuota?: number; nodes?: number; receiptKey?: string | undefined } = {},
) {
  const owner = await env.person({ vip: true, ...more })
  const nodes = await Promise.all(Array.from({ length: more.nodes ?? 1 }, () => env.node({ owner: operator })))
  const { cid } = await sampleFile(env.db, owner.id, { size: SIZE, nodes })
  const receipt_key = 'receiptKey' in more ? more.receiptKey : client.receiptKey
  const answer = await env.call('downloads.own', { asset_cid: cid, ...(receipt_key && { receipt_key }) }, owner)
  return { owner, cid, nodes, node: nodes[0] as TestNode, trace: answer.data.trace_id, url: answer.data.url[0] ?? '' }
}
type Download = Pick<Awaited<ReturnType<typeof download>>, 'cid' | 'trace'> & { owner: Pick<Person, 'uid'> }

/** Reports bytes as sent and, if they are given, that the client signed `received` and the node `sent` bytes in total. */
const report = async (
  { owner, cid, trace }: Download,
  node: TestNode,
  {
    bytes = 0,
    received,
    sent = received,
    time = env.clock.now(),
    signature = client.signature(trace, node.id, cid, received ?? 0),
    sentSignature = node.sentSignature(trace, cid, sent ?? 0),
  }: {
    bytes?: number
    received?: number
    sent?: number | undefined
    time?: number
    signature?: string
    sentSignature?: string
  },
) =>
  env.call(
    'nodeControl.served',
    {
      batch: randomUUID(),
      transfers: [
        {
          account: owner.uid,
          trace_id: trace,
          cid,
          bytes,
          requests: bytes > 0 ? 1 : 0,
          peak: 1,
          time,
          ...(received !== undefined && { received, signature }),
          ...(sent !== undefined && { sent, sent_signature: sentSignature }),
        },
      ],
    },
    // Some tests move the clock further than a token is valid.
    { token: await nodeToken(env.context, node.id) },
  )
const trafficOf = (node: TestNode) =>
  env.db.rows<{ account_kind: string; sent: number; signed: number }>(
    sql`select account_kind, sum(sent)::bigint as sent, sum(signed)::bigint as signed from node_traffic where node_id = ${node.id} group by 1`,
  )
const claims = (url: string) => decodeJwt(new URL(url).searchParams.get('token') ?? '')

describe('a request for download addresses', () => {
  it('with a key returns tokens that carry it: of own, shared and anonymous files', async () => {
    const { owner, cid, node, url } = await download()
    expect(claims(url).rk).toBe(client.receiptKey)
    await env.call('shares.setStatus', { cid }, owner)
    const receipt_key = client.receiptKey
    const open = await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid, receipt_key })
    expect(claims(open.data.url[0] ?? '').rk).toBe(receipt_key)
    const receipt = await node.receipt({ sub: 'temp:x', cid, size: SIZE })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: SIZE, asset_cid: cid, receipt })
    const temp = await env.call('tempFiles.download', { cid, receipt_key })
    expect(claims(temp.data.url[0] ?? '').rk).toBe(receipt_key)
  })

  it('without a key returns the tokens of earlier releases, whose traffic counts as unsigned', async () => {
    const one = await download({ receiptKey: undefined })
    expect(claims(one.url)).not.toHaveProperty('rk')
    expect((await report(one, one.node, { bytes: SIZE })).code).toBe(0)
    expect(await trafficOf(one.node)).toEqual([{ account_kind: 'vip', sent: SIZE, signed: 0 }])
  })

  it.each(['x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}+`])(
    'is refused with the key %s',
    async (receipt_key) => {
      const { owner, cid } = await download()
      expect(await env.call('downloads.own', { asset_cid: cid, receipt_key }, owner)).toMatchObject({
        code: -1,
        err: 1001,
      })
    },
  )
})

describe('bytes that the client signed', () => {
  it('count as signed if the node sent them, whichever is reported first', async () => {
    for (const parts of [
      [{ bytes: SIZE, received: SIZE }],
      [{ bytes: SIZE }, { received: SIZE }],
      [{ received: SIZE }, { bytes: SIZE }],
      [{ bytes: SIZE / 2, received: SIZE }, { bytes: SIZE / 2 }],
    ]) {
      const one = await download()
      for (const part of parts) expect((await report(one, one.node, part)).code).toBe(0)
      expect(await trafficOf(one.node)).toEqual([{ account_kind: 'vip', sent: SIZE, signed: SIZE }])
    }
  })

  it('do not count before the node has sent as many', async () => {
    const [none, half] = [await download(), await download()]
    await report(none, none.node, { received: SIZE })
    await report(half, half.node, { bytes: SIZE / 2, received: SIZE })
    expect(await trafficOf(none.node)).toEqual([])
    expect(await trafficOf(half.node)).toEqual([{ account_kind: 'vip', sent: SIZE / 2, signed: SIZE / 2 }])
  })

  it('count only as far as the node signed that it sent them, in any order of the signatures', async () => {
    for (const parts of [
      [{ bytes: SIZE, received: SIZE, sent: SIZE / 2 }],
      [
        { bytes: SIZE, received: SIZE, sent: 0 },
        { received: 0, sent: SIZE / 2 },
      ],
      [
        { bytes: SIZE, received: 0, sent: SIZE / 2 },
        { received: SIZE, sent: 0 },
      ],
    ]) {
      const one = await download()
      for (const part of parts) await report(one, one.node, part)
      expect((await trafficOf(one.node))[0]?.signed).toBe(SIZE / 2)
    }
  })

  it('do not count with a key for which everybody can sign: of the client, or of the node', async () => {
    const identity = Buffer.from([1, ...new Uint8Array(31)])
    const receiptKey = identity.toString('base64url')
    // Valid for every text.
    const signature = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64url')
    const weakClient = await download({ receiptKey })
    await report(weakClient, weakClient.node, { bytes: SIZE, received: SIZE, signature })
    const weakNode = await download()
    await env.db.run(sql`update nodes set public_key = ${receiptKey} where id = ${weakNode.node.id}`)
    await report(weakNode, weakNode.node, { bytes: SIZE, received: SIZE, sentSignature: signature })
    for (const { node } of [weakClient, weakNode])
      expect(await trafficOf(node)).toEqual([{ account_kind: 'vip', sent: SIZE, signed: 0 }])
  })

  it('do not count without the signature of the node: nodes of earlier releases earn nothing', async () => {
    const one = await download()
    await report(one, one.node, { bytes: SIZE, received: SIZE, sent: 0 })
    expect(await trafficOf(one.node)).toEqual([{ account_kind: 'vip', sent: SIZE, signed: 0 }])
  })

  it('are cumulative', async () => {
    const one = await download()
    for (const received of [100, 5000, 5000, 300, 7000]) await report(one, one.node, { bytes: 5000, received })
    expect(await trafficOf(one.node)).toEqual([{ account_kind: 'vip', sent: 25_000, signed: 7000 }])
  })

  it('add up over the nodes of a download', async () => {
    const one = await download({ nodes: 3 })
    for (const node of one.nodes) await report(one, node, { bytes: 300_000, received: 300_000 })
    for (const node of one.nodes) expect((await trafficOf(node))[0]?.signed).toBe(300_000)
  })

  it('count after the client closed the trace, and up to seven days after it began', async () => {
    const [closed, late, tooLate] = [await download(), await download(), await download()]
    const { trace, owner, cid } = closed
    await env.call(
      'traces.report',
      { trace_id: trace, cid, state: 1, transfer_type: 'download', total_size: SIZE, cost_ms: 5, rate: 5 },
      owner,
    )
    await report(closed, closed.node, { bytes: SIZE, received: SIZE })
    env.pass(6.9 * 24 * 3600_000)
    await report(late, late.node, { bytes: SIZE, received: SIZE })
    env.pass(0.2 * 24 * 3600_000)
    await report(tooLate, tooLate.node, { bytes: SIZE, received: SIZE })
    const signed = await Promise.all(
      [closed, late, tooLate].map(async ({ node }) => (await trafficOf(node))[0]?.signed),
    )
    expect(signed).toEqual([SIZE, SIZE, 0])
  })

  it('are counted by who pays and who downloads', async () => {
    const sharer = await env.person({ vip: true })
    const [visited, anonymous, owned, free] = await Promise.all([env.node(), env.node(), env.node(), env.node()])
    const { cid } = await sampleFile(env.db, sharer.id, { size: SIZE, nodes: [visited] })
    await env.call('shares.setStatus', { cid }, sharer)
    const { data } = await env.call('downloads.open', {
      user_id: sharer.uid,
      asset_cid: cid,
      receipt_key: client.receiptKey,
    })
    await report({ owner: sharer, cid, trace: data.trace_id }, visited, { bytes: 10, received: 10 })

    const file = await sampleFile(env.db, sharer.id, { size: SIZE, nodes: [anonymous] })
    const receipt = await anonymous.receipt({ sub: 'temp:x', cid: file.cid, size: SIZE })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: SIZE, asset_cid: file.cid, receipt })
    const temp = await env.call('tempFiles.download', { cid: file.cid, receipt_key: client.receiptKey })
    const of = { owner: { uid: `temp:${file.cid}` }, cid: file.cid, trace: temp.data.trace_id }
    await report(of, anonymous, { bytes: 10, received: 10 })

    for (const [node, person] of [
      [owned, sharer],
      [free, await env.person()],
    ] as const) {
      const { cid: own } = await sampleFile(env.db, person.id, { size: SIZE, nodes: [node] })
      const asked = { asset_cid: own, receipt_key: client.receiptKey }
      const { trace_id } = (await env.call('downloads.own', asked, person)).data
      if (node === owned) await env.db.run(sql`update nodes set owner_id = ${person.id} where id = ${node.id}`)
      await report({ owner: person, cid: own, trace: trace_id }, node, { bytes: 10, received: 10 })
    }
    const kinds = await Promise.all([visited, anonymous, owned, free].map(trafficOf))
    expect(kinds).toEqual(
      ['visitor', 'anonymous', 'own', 'free'].map((account_kind) => [{ account_kind, sent: 10, signed: 10 }]),
    )
  })

  it('are kept for 90 days', async () => {
    const one = await download()
    await report(one, one.node, { bytes: 10, received: 10 })
    const clean = async (days: number) => {
      for (const statement of expired(new Date(env.clock.now() + days * 24 * 3600_000))) await env.db.run(statement)
    }
    await clean(89)
    expect(await trafficOf(one.node)).toHaveLength(1)
    await clean(91)
    expect(await trafficOf(one.node)).toEqual([])
  })

  it.each([
    { received: -1 },
    { received: 1.5 },
    { received: 1e30 },
    { signature: 'A'.repeat(101) },
    { sent: -1 },
    { sent_signature: 'A'.repeat(101) },
  ])('are refused in a report with %j', async (wrong) => {
    const { owner, cid, trace, node } = await download()
    const transfer = { account: owner.uid, trace_id: trace, cid, bytes: 1, requests: 1, peak: 1, time: 0, ...wrong }
    const answer = await env.call('nodeControl.served', { batch: randomUUID(), transfers: [transfer] }, node)
    expect(answer).toMatchObject({ code: -1, err: 1001 })
  })
})
