import { randomUUID } from 'node:crypto'
import { GiB, type Input, type nodeControl } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditAddresses } from '../../apps/server/src/network/audits/addresses.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { EARNING_KINDS } from '../../apps/server/src/storage/download-traffic/account-kinds.ts'
import { clientKey } from '../../apps/server/src/storage/download-traffic/client-key.fixture.ts'
import { SIGNATURES_MAX } from '../../apps/server/src/storage/download-traffic/signed.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** How much signed traffic hostile nodes and clients can make up, alone and together. */

const SIZE = 1_000_000
/** Most bytes of one download that count as signed. */
const FULL_READ = Math.floor(SIZE * 1.125 + 65_536)

let env: TestEnv
/** The owner of the edges. */
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person()
})
afterAll(() => env.close())

type Transfer = Input<typeof nodeControl.served>['transfers'][number]
type Edge = Awaited<ReturnType<typeof edge>>

/** An edge that reports whatever a test says. */
async function edge() {
  const node = await env.node({ kind: 'edge', vetted: true, owner: operator })
  return {
    id: node.id,
    sentSignature: node.sentSignature,
    served: async (transfers: Partial<Transfer>[], batch: string = randomUUID()) => {
      const blank = { account: '', trace_id: '', cid: '', bytes: 0, requests: 1, peak: 0, time: env.clock.now() }
      const input = { batch, transfers: transfers.map((transfer) => ({ ...blank, ...transfer })) }
      // A test may have moved the clock further than a token is valid.
      return env.call('nodeControl.served', input, { token: await nodeToken(env.context, node.id) })
    },
  }
}
const edges = (count: number) => Promise.all(Array.from({ length: count }, edge))

/** A download of a VIP from hostile nodes, with the key of the client. */
async function download({ owner, nodes = 1, quota }: { owner?: Person; nodes?: number | Edge[]; quota?: number } = {}) {
  const person = owner ?? (await env.person({ vip: true, ...(quota !== undefined && { downloadQuota: quota }) }))
  const from = typeof nodes === 'number' ? await edges(nodes) : nodes
  const { cid } = await sampleFile(env.db, person.id, { size: SIZE, nodes: from })
  const open = async () => {
    const client = clientKey()
    const asked = { asset_cid: cid, receipt_key: client.receiptKey }
    const { trace_id: trace } = (await env.call('downloads.own', asked, person)).data
    return { trace, client, of: { account: person.uid, trace_id: trace, cid } }
  }
  return { owner: person, edges: from, node: from[0] as Edge, cid, open, ...(await open()) }
}
type Download = Awaited<ReturnType<typeof download>>

/** What the client signed. */
const received = (
  { client, cid, trace }: Pick<Download, 'client' | 'cid' | 'trace'>,
  node: Pick<Edge, 'id'>,
  bytes: number,
) => ({
  received: bytes,
  signature: client.signature(trace, node.id, cid, bytes),
})
/** A transfer with valid signatures of so many bytes: of the client and of the node. */
const signed = (
  { of, client, cid, trace }: Pick<Download, 'of' | 'client' | 'cid' | 'trace'>,
  node: Edge,
  bytesSigned: number,
  bytes = bytesSigned,
) => ({
  ...of,
  bytes,
  requests: 1_000_000,
  ...received({ client, cid, trace }, node, bytesSigned),
  sent: bytesSigned,
  sent_signature: node.sentSignature(trace, cid, bytesSigned),
})
const signedAt = async (...nodes: Edge[]): Promise<number> =>
  (
    await env.db.one<{ signed: number }>(
      sql`select coalesce(sum(signed), 0)::bigint as signed from node_traffic where node_id = any(${nodes.map(({ id }) => id)})`,
    )
  ).signed

describe('a hostile node', () => {
  it('cannot forge a signature, and its traffic still counts as sent', async () => {
    const { node, of, cid, trace, client } = await download()
    const forged = [
      undefined,
      '',
      'A'.repeat(86),
      clientKey().signature(trace, node.id, cid, 1000),
      client.signature(trace, node.id, cid, 999),
    ]
    for (const signature of forged) {
      const answer = await node.served([
        { ...of, bytes: 1000, received: 1000, ...(signature !== undefined && { signature }) },
      ])
      expect(answer.code).toBe(0)
    }
    expect(await signedAt(node)).toBe(0)
    const [row] = await env.db.rows(sql`select sent from node_traffic where node_id = ${node.id}`)
    expect(row).toEqual({ sent: 1000 * forged.length })
  })

  it('cannot replay a signature: in another download, at another node, or again', async () => {
    const one = await download({ nodes: 2 })
    const [node, accomplice] = one.edges as [Edge, Edge]
    const transfer = signed(one, node, 1000)
    await node.served([transfer])
    await node.served([transfer, transfer], 'batch')
    await node.served([transfer], 'batch')
    await accomplice.served([transfer])
    const other = await one.open()
    await node.served([{ ...transfer, ...other.of }])
    expect(await signedAt(node, accomplice)).toBe(1000)
  })

  it('gains nothing from an older signature, and loses nothing by it', async () => {
    const one = await download()
    for (const bytes of [5000, 100, 4999, 5000]) await one.node.served([signed(one, one.node, bytes, 5000)])
    expect(await signedAt(one.node)).toBe(5000)
  })

  it('cannot inflate what was signed, however much it reports as sent', async () => {
    const one = await download()
    const transfer = signed(one, one.node, 1000, 2_000_000)
    await one.node.served([transfer])
    for (let report = 0; report < 2; report++) await one.node.served([{ ...transfer, received: 1_000_000 }])
    expect(await signedAt(one.node)).toBe(1000)
  })

  it('cannot sign for a client that does not: what it signed as sent counts only up to what the client signed', async () => {
    const one = await download()
    const transfer = signed(one, one.node, 1_000_000)
    await one.node.served([{ ...transfer, received: undefined, signature: undefined }])
    expect(await signedAt(one.node)).toBe(0)
    await one.node.served([{ ...transfer, bytes: 0, ...received(one, one.node, 1000) }])
    expect(await signedAt(one.node)).toBe(1000)
  })

  it('cannot use the signature of another node, another download, another content or another number as its own', async () => {
    const one = await download({ nodes: 2 })
    const [node, accomplice] = one.edges as [Edge, Edge]
    const other = await one.open()
    const wrong = [
      accomplice.sentSignature(one.trace, one.cid, 1000),
      node.sentSignature(other.trace, one.cid, 1000),
      node.sentSignature(one.trace, 'bafkother', 1000),
      node.sentSignature(one.trace, one.cid, 999),
      one.client.signature(one.trace, node.id, one.cid, 1000),
      'A'.repeat(86),
    ]
    for (const sent_signature of wrong) await node.served([{ ...signed(one, node, 1000), sent_signature }])
    expect(await signedAt(node)).toBe(0)
  })

  it('gains nothing by signing more than it reports as sent, nor by reporting more than it signs', async () => {
    const [boast, modest] = [await download(), await download()]
    await boast.node.served([{ ...signed(boast, boast.node, 900_000), bytes: 1000 }])
    expect(await signedAt(boast.node)).toBe(1000)
    const sent_signature = modest.node.sentSignature(modest.trace, modest.cid, 1000)
    await modest.node.served([{ ...signed(modest, modest.node, 900_000), sent: 1000, sent_signature }])
    expect(await signedAt(modest.node)).toBe(1000)
  })

  it('that was not offered cannot use signatures for it', async () => {
    const one = await download()
    const stranger = await edge()
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${one.cid}, ${stranger.id}, 'stored', ${new Date()})`)
    await stranger.served([signed(one, stranger, 1000)])
    expect(await signedAt(stranger)).toBe(0)
  })

  it('cannot make the server verify without limit', async () => {
    const one = await download()
    const wrong = { ...signed(one, one.node, 1), signature: 'A'.repeat(86) }
    for (let report = 0; report < 40; report++)
      await one.node.served(
        Array.from({ length: 1000 }, (_, index) => ({ ...wrong, received: report * 1000 + index + 1 })),
      )
    const { signatures } = await env.db.one<{ signatures: number }>(
      sql`select signatures from trace_sent where trace_id = ${one.trace} and node_id = ${one.node.id}`,
    )
    expect(signatures).toBe(SIGNATURES_MAX)
    expect(await signedAt(one.node)).toBe(0)
  })

  it('cannot recognize audits by the key in their tokens', async () => {
    const node = await edge()
    const reading = {
      cid: 'bafkcontent',
      node_id: node.id,
      url: 'http://127.0.0.1:9',
      kind: 'file' as const,
      via_id: null,
      via_url: null,
    }
    const tokens = await auditAddresses(env.context, env.db, Array(64).fill(reading))
    const keys = tokens.map(({ token }) => decodeJwt(token).rk)
    expect(keys.filter((key) => key !== undefined).length).toBeGreaterThan(8)
    expect(keys.filter((key) => key === undefined).length).toBeGreaterThan(8)
    for (const key of keys) if (key !== undefined) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })
})

describe('a hostile client', () => {
  it('cannot sign with the key of another account, or with two keys', async () => {
    const [one, other] = [await download(), await download()]
    await one.node.served([signed({ ...one, client: other.client }, one.node, 1000)])
    expect(await signedAt(one.node)).toBe(0)
    // The second key belongs to a download of its own.
    const second = await one.open()
    await one.node.served([signed({ ...one, client: second.client }, one.node, 1000)])
    expect(await signedAt(one.node)).toBe(0)
    await one.node.served([signed(one, one.node, 1000)])
    expect(await signedAt(one.node)).toBe(1000)
  })
})

describe('a client that colludes with nodes', () => {
  it('signs one read of the content per download, at all nodes together', async () => {
    const one = await download({ nodes: 5 })
    for (let round = 0; round < 3; round++)
      await Promise.all(one.edges.map((node) => node.served([signed(one, node, 10 ** 12)])))
    expect(await signedAt(...one.edges)).toBe(FULL_READ)
  })

  it('signs at most the quota of its account, in any number of downloads and reports at once', async () => {
    const quota = 3_000_000
    const owner = await env.person({ vip: true, downloadQuota: quota })
    const nodes = await edges(3)
    const downloads = await Promise.all(Array.from({ length: 8 }, () => download({ owner, nodes })))
    await Promise.all(downloads.flatMap((one) => one.edges.map((node) => node.served([signed(one, node, FULL_READ)]))))
    expect(await signedAt(...nodes)).toBe(quota)
  })

  it('cannot use the quota of a month that is over', async () => {
    const quota = 1_000_000
    const today = new Date(env.clock.now())
    env.pass(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1, 1) - today.getTime())
    const one = await download({ quota })
    const time = env.clock.now() - 12 * 3600_000
    for (const each of [await one.open(), await one.open(), await one.open()])
      await one.node.served([{ ...signed({ ...one, ...each }, one.node, SIZE), time }])
    expect(await signedAt(one.node)).toBe(quota)
  })

  it('cannot sign away with visitors of one network what other downloads of the sharer can sign', async () => {
    const quota = 100 * GiB
    const size = 3 * GiB
    const one = await download({ quota })
    const { owner, node, cid } = one
    await env.db.run(sql`update contents set size = ${size} where cid = ${cid}`)
    await env.call('shares.setStatus', { cid }, owner)
    const visit = async () => {
      const client = clientKey()
      const asked = { asset_cid: cid, user_id: owner.uid, receipt_key: client.receiptKey, preview: true }
      const { trace_id: trace } = (await env.call('downloads.open', asked, { ip: '203.0.113.9' })).data
      return { client, cid, trace, of: { account: owner.uid, trace_id: trace, cid } }
    }
    const visits = await Promise.all(Array.from({ length: 40 }, visit))
    await Promise.all(visits.slice(0, 20).map((each) => node.served([signed(each, node, size)])))
    await node.served(visits.slice(20).map((each) => signed(each, node, size)))
    expect(await signedAt(node)).toBe(quota / 4)
    await node.served([signed({ ...one, ...(await one.open()) }, node, size)])
    expect(await signedAt(node)).toBe(quota / 4 + size)
  })

  it('earns nothing with an own node, without an account, as a visitor, or on the free plan', async () => {
    const sharer = await env.person({ vip: true })
    const nodes = await edges(4)
    const [own, anonymous, visited, free] = nodes as [Edge, Edge, Edge, Edge]
    const read = async (
      node: Edge,
      account: string,
      cid: string,
      ask: (key: string) => Promise<{ data: { trace_id: string } }>,
    ) => {
      const client = clientKey()
      const { trace_id: trace } = (await ask(client.receiptKey)).data
      await node.served([signed({ of: { account, trace_id: trace, cid }, client, cid, trace }, node, 1000)])
      expect(await signedAt(node)).toBe(1000)
    }
    const file = async (node: Edge, owner = sharer) =>
      (await sampleFile(env.db, owner.id, { size: SIZE, nodes: [node] })).cid

    await env.db.run(sql`update nodes set owner_id = ${sharer.id} where id = ${own.id}`)
    const ownCid = await file(own)
    await read(own, sharer.uid, ownCid, (receipt_key) =>
      env.call('downloads.own', { asset_cid: ownCid, receipt_key }, sharer),
    )

    const shared = await file(visited)
    await env.call('shares.setStatus', { cid: shared }, sharer)
    await read(visited, sharer.uid, shared, (receipt_key) =>
      env.call('downloads.open', { asset_cid: shared, user_id: sharer.uid, receipt_key }),
    )

    const temp = await file(anonymous)
    const receipt = await (await env.node()).receipt({ sub: 'temp:x', cid: temp, size: SIZE })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: SIZE, asset_cid: temp, receipt })
    await read(anonymous, `temp:${temp}`, temp, (receipt_key) =>
      env.call('tempFiles.download', { cid: temp, receipt_key }),
    )

    const person = await env.person()
    const freeCid = await file(free, person)
    await read(free, person.uid, freeCid, (receipt_key) =>
      env.call('downloads.own', { asset_cid: freeCid, receipt_key }, person),
    )

    const earning = await env.db.rows(
      sql`select 1 from node_traffic where node_id = any(${nodes.map(({ id }) => id)}) and account_kind = any(${[...EARNING_KINDS]})`,
    )
    expect(earning).toEqual([])
  })

  it('cannot make a server fail with the largest numbers', async () => {
    const one = await download()
    await env.db.run(sql`update contents set size = ${Number.MAX_SAFE_INTEGER} where cid = ${one.cid}`)
    const large = signed(one, one.node, Number.MAX_SAFE_INTEGER)
    for (let round = 0; round < 3; round++)
      expect((await one.node.served(Array.from({ length: 1000 }, () => large))).code).toBe(0)
    expect(await signedAt(one.node)).toBeLessThanOrEqual(1000 * 2 ** 30)
  })
})
