import { randomUUID } from 'node:crypto'
import { DOWNLOAD_RECEIPT_MIN } from '@tidenet/contract'
import { isReceivedSigned, isSentSigned } from '@tidenet/daemon'
import type { ClaimsOf } from '@tidenet/receipts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { clientKey } from '../download-traffic/client-key.fixture.ts'
import { issueDownloadReceipts } from './download-receipts.ts'

type TestNode = Awaited<ReturnType<TestEnv['node']>>
type Receipt = ClaimsOf<'download'>

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const SIZE = 1_000_000
const QUIET = 11_000
const client = clientKey()

/** A download of an account from a node of its own. */
async function download(account?: Person) {
  const owner = account ?? (await env.person({ vip: true }))
  const node = await env.node()
  const { cid } = await sampleFile(env.db, owner.id, { size: SIZE, nodes: [node] })
  const asked = { asset_cid: cid, receipt_key: client.receiptKey }
  const { trace_id: trace } = (await env.call('downloads.own', asked, owner)).data
  return { owner, node, cid, trace, account: owner.uid }
}
type Download = Pick<Awaited<ReturnType<typeof download>>, 'node' | 'cid' | 'trace' | 'account'>

const signed = ({ node, cid, trace }: Download, received: number, sent = received) => ({
  received,
  signature: client.signature(trace, node.id, cid, received),
  sent,
  sent_signature: node.sentSignature(trace, cid, sent),
})
const report = ({ account, node, cid, trace }: Download, bytes: number, more: object) =>
  env.call(
    'nodeControl.served',
    {
      batch: randomUUID(),
      transfers: [{ account, trace_id: trace, cid, bytes, requests: 1, peak: 1, time: env.clock.now(), ...more }],
    },
    node,
  )
const issue = () => issueDownloadReceipts(env.context)
/** What was issued for a node, oldest first. */
const issuedFor = async ({ id }: TestNode) =>
  (
    await env.db.rows<{ id: number; claims: Receipt }>(
      sql`select id, claims from log_queue where claims ->> 'kind' = 'download' and claims ->> 'node' = ${id} order by id`,
    )
  ).map((row) => ({ ...row.claims, id: row.id }))
const shown = async (trace: string, as: { token?: string }) =>
  (await env.call('traces.get', { trace_id: trace }, as)).data.receipts

describe('a download that client and node signed', () => {
  it('has a receipt with both signatures when it is quiet, and not before', async () => {
    const one = await download()
    await report(one, SIZE, signed(one, SIZE))
    await issue()
    expect(await issuedFor(one.node)).toEqual([])
    env.pass(QUIET)
    await issue()
    const [receipt] = await issuedFor(one.node)
    expect(receipt).toMatchObject({ sub: one.owner.uid, trace: one.trace, cid: one.cid, signed: SIZE })
    const { reader_key, node_key, received, sent, reader_signature, node_signature } = receipt as Receipt
    const said = { trace: one.trace, nodeId: one.node.id, cid: one.cid }
    expect(await isReceivedSigned(reader_key, { ...said, bytes: received, signature: reader_signature })).toBe(true)
    expect(await isSentSigned(node_key, { ...said, bytes: sent, signature: node_signature })).toBe(true)
    expect(await shown(one.trace, one.owner)).toMatchObject([
      { receipt: receipt?.id, node_id: one.node.id, signed: SIZE },
    ])
  })

  it('has one receipt, however many servers issue receipts at once', async () => {
    const one = await download()
    await report(one, SIZE, signed(one, SIZE))
    env.pass(QUIET)
    await Promise.all([issue(), issue(), issue()])
    await issue()
    expect(await issuedFor(one.node)).toHaveLength(1)
  })

  it('waits while it continues, and gets another receipt with a larger number if it continues later', async () => {
    const one = await download()
    await report(one, SIZE, signed(one, 300_000))
    env.pass(QUIET / 2)
    await report(one, 0, signed(one, 400_000))
    env.pass(QUIET / 2)
    await issue()
    expect(await issuedFor(one.node)).toEqual([])
    env.pass(QUIET / 2)
    await issue()
    await report(one, 0, signed(one, 900_000))
    env.pass(QUIET)
    await issue()
    const issued = await issuedFor(one.node)
    expect(issued.map((receipt) => receipt.signed)).toEqual([400_000, 900_000])
    expect(await shown(one.trace, one.owner)).toMatchObject([{ receipt: issued[1]?.id, signed: 900_000 }])
  })

  it('has a receipt of its own at each node', async () => {
    const one = await download()
    const other = { ...one, node: await env.node() }
    await env.db.run(sql`update traces set offered = offered || ${[other.node.id]}::text[] where id = ${one.trace}`)
    await report(one, 600_000, signed(one, 600_000))
    await report(other, 400_000, signed(other, 400_000))
    env.pass(QUIET)
    await issue()
    expect((await shown(one.trace, one.owner)).map((receipt) => receipt.signed).sort()).toEqual([400_000, 600_000])
  })

  it('has the canonical form of a signature that was written in another way', async () => {
    const one = await download()
    const { signature, ...rest } = signed(one, SIZE)
    await report(one, SIZE, { ...rest, signature: `${signature}==` })
    env.pass(QUIET)
    await issue()
    expect(await issuedFor(one.node)).toMatchObject([{ reader_signature: signature }])
  })
})

describe('there is no receipt', () => {
  it('for less than a chunk, and each further one of a node needs another chunk', async () => {
    const one = await download()
    const count = async (received: number) => {
      await report(one, received, signed(one, received))
      env.pass(QUIET)
      await issue()
      return (await issuedFor(one.node)).length
    }
    expect(await count(DOWNLOAD_RECEIPT_MIN - 1)).toBe(0)
    expect(await count(DOWNLOAD_RECEIPT_MIN)).toBe(1)
    for (const more of [1, 2]) await count(DOWNLOAD_RECEIPT_MIN + more)
    expect(await count(2 * DOWNLOAD_RECEIPT_MIN - 1)).toBe(1)
    expect(await count(2 * DOWNLOAD_RECEIPT_MIN)).toBe(2)
    expect(await shown(one.trace, one.owner)).toMatchObject([{ signed: 2 * DOWNLOAD_RECEIPT_MIN }])
  })

  it('if the file is anonymous: it has no account and no quota, and earns nothing', async () => {
    const one = await download()
    const receipt = await one.node.receipt({ sub: 'temp:x', cid: one.cid, size: SIZE })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: SIZE, asset_cid: one.cid, receipt })
    const asked = { cid: one.cid, receipt_key: client.receiptKey }
    const { trace_id: trace } = (await env.call('tempFiles.download', asked)).data
    const anonymous = { ...one, trace, account: `temp:${one.cid}` }
    await report(anonymous, SIZE, signed(anonymous, SIZE))
    env.pass(QUIET)
    await issue()
    expect(await issuedFor(one.node)).toEqual([])
    expect(await shown(trace, {})).toEqual([])
  })

  it('for bytes that only one of them signed, or that the account has no quota for', async () => {
    const [reader, node] = [await download(), await download()]
    const poor = await download()
    await env.db.run(sql`update users set outflow_quota = 0 where id = ${poor.owner.id}`)
    const { received, signature, sent, sent_signature } = signed(reader, SIZE)
    await report(reader, SIZE, { received, signature })
    await report(node, SIZE, { sent, sent_signature })
    await report(poor, SIZE, signed(poor, SIZE))
    env.pass(QUIET)
    await issue()
    for (const one of [reader, node, poor]) expect(await issuedFor(one.node)).toEqual([])
  })

  it('of a node that was deleted before, and others are not held up by it', async () => {
    const [gone, kept] = [await download(), await download()]
    for (const one of [gone, kept]) await report(one, SIZE, signed(one, SIZE))
    await env.db.run(sql`delete from nodes where id = ${gone.node.id}`)
    env.pass(QUIET)
    await issue()
    expect(await issuedFor(gone.node)).toEqual([])
    expect(await issuedFor(kept.node)).toHaveLength(1)
  })

  it('for accounts that do not pay for the download', async () => {
    const one = await download()
    await report(one, SIZE, signed(one, SIZE))
    env.pass(QUIET)
    await issue()
    await env.db.run(sql`update traces set user_id = null where id = ${one.trace}`)
    expect(await shown(one.trace, await env.person())).toEqual([])
    expect(await shown(one.trace, {})).toEqual([])
    expect(await shown(one.trace, one.owner)).toHaveLength(1)
  })
})
