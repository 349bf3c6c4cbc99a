import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOAD_BATCH_MAX, UPLOAD_BUNDLE_MAX, type UploadBundleAnswer, type UploadClaims } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'

let env: TestEnv
let node: StorageNode
beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start()
})
afterAll(() => env.stop())

interface Part {
  token: string
  bytes: Buffer
}
const part = async (size: number, claims: Partial<UploadClaims> = {}) => {
  const { bytes, cid } = await randomFile(size)
  return { bytes, cid, token: await env.server.uploadToken(node.id, claims) }
}

/** @param missing bytes at the end of the form that are not sent */
async function send(parts: readonly Part[], { to = node, missing = 0 } = {}) {
  const form = new FormData()
  for (const { token, bytes } of parts) {
    form.append('token', token)
    form.append('file', new Blob([Uint8Array.from(bytes)]), 'file.bin')
  }
  // Bytes instead of a stream: it has a length.
  const encoded = new Response(form)
  const body = await encoded.arrayBuffer()
  const answer = await fetch(`${to.url}/uploads`, {
    method: 'POST',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: body.slice(0, body.byteLength - missing),
  })
  return { status: answer.status, ...((await answer.json()) as UploadBundleAnswer) }
}
const serverLearns = (list: UploadBundleAnswer['list']) =>
  env.server.until(() => {
    const told = new Set(env.server.of('receipts').flatMap(({ receipts }) => receipts as string[]))
    return list.every(({ receipt = '' }) => told.has(receipt))
  })
const isStored = async (cid: string) => {
  const token = await env.server.downloadToken(node.id, cid)
  return (await fetch(`${node.url}/ipfs/${cid}`, { headers: { authorization: `Bearer ${token}` } })).status === 200
}

describe('several small files in one request', () => {
  it('are stored, each with its receipt, and the server learns of all', async () => {
    const parts = await Promise.all(Array.from({ length: UPLOAD_BATCH_MAX }, (_, index) => part(index + 1)))
    const { list } = await send(parts)
    expect(list.map(({ status, cid }) => ({ status, cid }))).toEqual(parts.map(({ cid }) => ({ status: 200, cid })))
    expect(list.map(({ receipt = '' }) => decodeJwt(receipt).jti)).toEqual(
      parts.map(({ token }) => decodeJwt(token).jti),
    )
    expect(await isStored(parts.at(-1)?.cid ?? '')).toBe(true)
    await serverLearns(list)
  })

  it('are known to the server also if their sender tells it nothing, and the node ends at once', async () => {
    const data = await env.folder()
    const other = await env.start({ data })
    const { bytes } = await part(5)
    const { list } = await send([{ bytes, token: await env.server.uploadToken(other.id) }], { to: other })
    await other.stop()
    await env.start({ data })
    await serverLearns(list)
  })

  it('may be one leaf long, and the same content twice', async () => {
    const one = await part(262_144)
    const again = { ...one, token: await env.server.uploadToken(node.id) }
    expect((await send([one, again])).list.map(({ status }) => status)).toEqual([200, 200])
  })

  it('are refused one by one; the others are stored', async () => {
    const [good, empty, short, last] = [await part(10), await part(0), await part(10, { size: 11 }), await part(10)]
    const forged = { ...(await part(10)), token: `${good.token.slice(0, -8)}AAAAAAAA` }
    const used = { ...(await part(10)), token: good.token }
    const otherBytes = await part(10, { cid: good.cid })
    const { list } = await send([good, empty, short, forged, otherBytes, last, used])
    expect(list.map(({ status }) => status)).toEqual([200, 400, 422, 401, 400, 200, 403])
    expect(await isStored(forged.cid)).toBe(false)
  })

  it('are refused together without a valid token first, with too many, too large or too long ones, and as archives', async () => {
    const valid = await part(10)
    expect(await send([{ ...valid, token: 'x' }, valid])).toMatchObject({ status: 401, err: 10012 })
    expect((await send(Array(UPLOAD_BATCH_MAX + 1).fill(valid))).status).toBe(400)
    expect((await send([await part(262_145)])).status).toBe(413)
    expect((await send([await part(10, { size: 9 })])).status).toBe(422)
    expect((await send([await part(10, { kind: 'car' })])).status).toBe(403)
    expect((await send([])).status).toBe(400)
    const huge = await part(UPLOAD_BUNDLE_MAX + 1_000_000)
    expect((await send([huge])).status).toBe(413)
    expect(await isStored(huge.cid)).toBe(false)
  })

  it('are refused without a length, and if they are no form', async () => {
    const post = async (body: BodyInit, headers: Record<string, string>) =>
      (await fetch(`${node.url}/uploads`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)).status
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) })
    expect(await post(endless, { 'content-type': 'multipart/form-data; boundary=b' }).catch(() => 413)).toBe(413)
    expect(await post('x', { 'content-type': 'text/plain' })).toBe(415)
  })

  it('keep no slot when their form breaks off', async () => {
    const cut = await part(1000)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send([cut, cut], { missing: 100 })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(400))
    const metrics = await (await fetch(`${node.url}/metrics`)).text()
    expect(metrics).toMatch(/^tidenet_node_uploads 0$/m)
  })

  it('leave no receipt of bytes that could not be written', async () => {
    const data = await env.folder()
    const harmed = await env.start({ data })
    const { bytes, cid } = await randomFile(1000)
    const one = { bytes, token: await env.server.uploadToken(harmed.id) }
    const shelf = join(data, 'leaves', cid.slice(-2))
    await writeFile(shelf, 'in the way')
    expect((await send([one], { to: harmed })).status).toBe(500)
    expect(await readdir(join(data, 'outbox'))).toEqual([])
    await rm(shelf)
    await mkdir(shelf)
    expect((await send([one], { to: harmed })).list).toMatchObject([{ status: 200, cid }])
  })
})
