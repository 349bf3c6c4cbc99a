import { randomUUID } from 'node:crypto'
import { errors, UPLOAD_RECEIPTS_PER_DAY } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { appendQueued } from '../../platform/transparency-log/append.ts'
import { issueReceipt } from '../../platform/transparency-log/issue.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { clientKey } from '../../storage/download-traffic/client-key.fixture.ts'
import { issueDownloadReceipts } from '../../storage/traces/download-receipts.ts'
import { sampleUploads } from '../../storage/uploads/sample-uploads.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { countReceipts, readClaims, receiptOf } from './sample-receipts.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { stored, cidOf } = sampleUploads(() => env)
const get = (id: number, { token }: { token: string }) => env.call('receipts.get', { id }, { token })
const notFound = { err: errors.notFound.err }

/** The receipt ids of the files of an account. */
async function receiptsOf({ token }: Person): Promise<(number | null)[]> {
  const { data } = await env.call('assets.list', { group_id: 0 }, { token })
  return data.list.map(({ UserAssetDetail }) => UserAssetDetail.receipt_id)
}
const at = () => new Date(env.clock.now())
const hourOf = (node: string, more: object = {}) => ({
  kind: 'node_hour' as const,
  node,
  hour: 0,
  trusted: true,
  passed: 1,
  failed: 0,
  audited: 0,
  held: 0,
  online: 3600,
  crowd: 1,
  signed: 0,
  paid_share: 0,
  ...more,
})

describe('the receipt of an upload', () => {
  it('says who listed which content, and which node received it', async () => {
    const owner = await env.person()
    const { cid, node } = await stored(owner, 'with a receipt')
    const [id = null] = await receiptsOf(owner)
    const file = await receiptOf(env, owner, id)
    expect(readClaims(file)).toMatchObject({
      kind: 'upload',
      sub: owner.uid,
      node: node.id,
      cid,
      type: 'file',
      size: 14,
    })
    expect(file).toMatchObject({ tidenet: 'receipt', version: 1, key: env.context.keys.receiptPublic.x, anchor: null })
  })

  it('is issued when the bytes of an announced file arrive', async () => {
    const owner = await env.person()
    const node = await env.node()
    const cid = await cidOf('announced')
    const create = { asset_name: 'a', asset_type: 'file' as const, asset_size: 9, asset_cid: cid }
    await env.call('assets.create', create, owner)
    expect(await countReceipts(env, owner.uid, 'upload')).toBe(0)
    const signed = await node.receipt({ sub: owner.uid, cid, size: 9 })
    await Promise.all(
      [1, 2, 3].map(() => env.call('nodeControl.receipts', { receipts: [signed] }, { token: node.token })),
    )
    const [id = null] = await receiptsOf(owner)
    expect(readClaims(await receiptOf(env, owner, id))).toMatchObject({ cid, node: node.id })
    expect(await countReceipts(env, owner.uid, 'upload')).toBe(1)
  })

  it('is issued once if a file is created several times at once', async () => {
    const owner = await env.person()
    const node = await env.node()
    const cid = await cidOf('raced')
    const receipt = await node.receipt({ sub: owner.uid, cid, size: 5 })
    const create = { asset_name: 'a', asset_type: 'file' as const, asset_size: 5, asset_cid: cid, receipt }
    await Promise.all(Array.from({ length: 20 }, () => env.call('assets.create', create, owner)))
    expect(await countReceipts(env, owner.uid, 'upload')).toBe(1)
  })

  it('stays the same when the file moves to the trash and back', async () => {
    const owner = await env.person()
    const { cid } = await stored(owner, 'to the trash and back')
    const before = await receiptsOf(owner)
    await env.call('assets.remove', { asset_cid: cid, trash: true }, owner)
    const { data } = await env.call('trash.list', {}, owner)
    await env.call('trash.restore', { ids: data.list.map(({ id }) => id) }, owner)
    expect(await receiptsOf(owner)).toEqual(before)
    expect(await countReceipts(env, owner.uid, 'upload')).toBe(1)
  })

  it('is the same one if the file is deleted and uploaded again, however often', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await stored(owner, 'again and again')
    const first = await receiptsOf(owner)
    for (let again = 0; again < 5; again++) {
      await env.call('assets.remove', { asset_cid: cid, trash: again % 2 === 0 }, owner)
      await stored(owner, 'again and again')
      expect(await receiptsOf(owner)).toEqual(first)
    }
    expect(await countReceipts(env, owner.uid, 'upload')).toBe(1)
    await stored(other, 'again and again')
    expect(await receiptsOf(other)).not.toEqual(first)
  })

  it('is not issued after so many of an account on one day; the file is stored all the same', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { free } = UPLOAD_RECEIPTS_PER_DAY
    await env.db.run(sql`
      update users set upload_receipts_day = ${at()}::timestamptz at time zone 'UTC', upload_receipts = ${free - 1} where id = ${owner.id}`)
    await stored(owner, 'the last one with a receipt')
    await stored(owner, 'one without')
    expect((await receiptsOf(owner)).filter((id) => id !== null)).toHaveLength(1)
    expect(await receiptsOf(owner)).toHaveLength(2)
    await stored(other, 'of another account')
    expect((await receiptsOf(other)).filter((id) => id !== null)).toHaveLength(1)
    await env.db.run(sql`update users set upload_receipts_day = upload_receipts_day - 1 where id = ${owner.id}`)
    await stored(owner, 'on the next day')
    expect((await receiptsOf(owner)).filter((id) => id !== null)).toHaveLength(2)
  })

  it('stays readable after the file was deleted', async () => {
    const owner = await env.person()
    const { cid } = await stored(owner, 'deleted later')
    const [id = null] = await receiptsOf(owner)
    await env.call('assets.remove', { asset_cid: cid }, owner)
    expect(readClaims(await receiptOf(env, owner, id))).toMatchObject({ cid })
  })
})

describe('a receipt', () => {
  it('is pending until it is in the log', async () => {
    const owner = await env.person()
    await stored(owner, 'pending')
    const [id = null] = await receiptsOf(owner)
    expect(await get(id as number, owner)).toMatchObject({ err: errors.receiptPending.err })
    await appendQueued(env.context)
    expect((await get(id as number, owner)).code).toBe(0)
  })

  it('about a download passes the checks of its receiver, with the signatures of reader and node', async () => {
    const [owner, node, client] = [await env.person({ vip: true }), await env.node(), clientKey()]
    const { cid } = await sampleFile(env.db, owner.id, { size: 300_000, nodes: [node] })
    const asked = { asset_cid: cid, receipt_key: client.receiptKey }
    const { trace_id } = (await env.call('downloads.own', asked, owner)).data
    const served = { account: owner.uid, trace_id, cid, requests: 1, peak: 1, time: env.clock.now() }
    const signatures = {
      received: 300_000,
      signature: client.signature(trace_id, node.id, cid, 300_000),
      sent: 300_000,
      sent_signature: node.sentSignature(trace_id, cid, 300_000),
    }
    const transfers = [{ ...served, bytes: 300_000, ...signatures }]
    await env.call('nodeControl.served', { batch: randomUUID(), transfers }, node)
    env.pass(11_000)
    await issueDownloadReceipts(env.context)
    const { receipts } = (await env.call('traces.get', { trace_id }, owner)).data
    const file = await receiptOf(env, owner, receipts[0]?.receipt ?? null)
    expect(readClaims(file)).toMatchObject({ kind: 'download', node: node.id, trace: trace_id, signed: 300_000 })
  })

  it('about a node can be read by its owner', async () => {
    const owner = await env.person()
    const node = await env.node()
    await env.db.run(sql`update nodes set owner_id = ${owner.id} where id = ${node.id}`)
    const id = await issueReceipt(env.db, hourOf(node.id), at())
    expect(readClaims(await receiptOf(env, owner, id))).toMatchObject({ kind: 'node_hour', node: node.id })
  })

  it('of a file can be read with an API key that may read files', async () => {
    const owner = await env.person()
    await stored(owner, 'by key')
    const [id = null] = await receiptsOf(owner)
    await appendQueued(env.context)
    expect((await get(id as number, { token: await env.key(owner, ['readFile']) })).code).toBe(0)
    expect((await get(id as number, { token: await env.key(owner, ['createFile']) })).code).not.toBe(0)
  })

  it('about money cannot be read with an API key', async () => {
    const owner = await env.person()
    const claims = { purpose: 'faucet' as const, wallet: 'tide1', amount: 1, tx: 'A'.repeat(64) }
    const id = await issueReceipt(env.db, { kind: 'claim', sub: owner.uid, ...claims }, at())
    await receiptOf(env, owner, id)
    expect(await get(id, { token: await env.key(owner, 'admin') })).toMatchObject(notFound)
  })

  it('of a download from an own device by somebody else cannot be read with an API key', async () => {
    const [reader, operates, client] = [await env.person({ vip: true }), await env.person(), clientKey()]
    const node = await env.node()
    await env.db.run(sql`update nodes set owner_id = ${operates.id} where id = ${node.id}`)
    const [trace, cid, bytes] = [randomUUID(), 'bafy', 1]
    const signed = { received: bytes, reader_key: client.receiptKey, sent: bytes, signed: bytes }
    const { public_key: node_key } = await env.db.one<{ public_key: string }>(
      sql`select public_key from nodes where id = ${node.id}`,
    )
    const signatures = {
      reader_signature: client.signature(trace, node.id, cid, bytes),
      node_key,
      node_signature: node.sentSignature(trace, cid, bytes),
    }
    const stated = { kind: 'download' as const, sub: reader.uid, node: node.id, trace, cid, ...signed, ...signatures }
    const id = await issueReceipt(env.db, stated, at())
    await receiptOf(env, operates, id)
    expect(await get(id, { token: await env.key(operates, 'admin') })).toMatchObject(notFound)
  })

  it('cannot be read by strangers, queued or not, and not by operators', async () => {
    const [owner, stranger, operator] = [await env.person(), await env.person(), await env.person({ role: 'operator' })]
    await stored(owner, 'not for strangers')
    const [id = null] = await receiptsOf(owner)
    for (const who of [stranger, operator]) expect(await get(id as number, who)).toMatchObject(notFound)
    await receiptOf(env, owner, id)
    for (const who of [stranger, operator]) expect(await get(id as number, who)).toMatchObject(notFound)
    expect((await env.call('receipts.get', { id: id as number })).code).not.toBe(0)
  })

  it('of an upload cannot be read by the owner of the node', async () => {
    const [owner, operates] = [await env.person(), await env.person()]
    const { node } = await stored(owner, 'not for the node')
    await env.db.run(sql`update nodes set owner_id = ${operates.id} where id = ${node.id}`)
    const [id = null] = await receiptsOf(owner)
    await receiptOf(env, owner, id)
    expect(await get(id as number, operates)).toMatchObject(notFound)
  })

  it('of hours and earnings can be read by the owner of then, and not by a later one', async () => {
    const [former, later] = [await env.person(), await env.person()]
    const node = await env.node()
    await env.db.run(sql`update nodes set owner_id = ${later.id} where id = ${node.id}`)
    const day = { kind: 'earnings' as const, day: '2026-03-02', traffic: 0, storage: 0, hours: [] }
    const ids = [
      await issueReceipt(env.db, hourOf(node.id, { sub: former.uid }), at()),
      await issueReceipt(env.db, { ...day, sub: former.uid, node: node.id }, at()),
    ]
    for (const id of ids) {
      expect(readClaims(await receiptOf(env, former, id))).toMatchObject({ sub: former.uid })
      expect(await get(id, later)).toMatchObject(notFound)
    }
  })

  it('of a node cannot be read by a former owner, or an account without a node', async () => {
    const former = await env.person()
    const node = await env.node()
    const id = await issueReceipt(env.db, hourOf(node.id), at())
    await appendQueued(env.context)
    expect(await get(id, former)).toMatchObject(notFound)
  })

  it('does not exist for ids that were never issued', async () => {
    const owner = await env.person()
    for (const id of [999_999, Number.MAX_SAFE_INTEGER]) expect(await get(id, owner)).toMatchObject(notFound)
    expect((await get(0, owner)).code).not.toBe(0)
  })
})
