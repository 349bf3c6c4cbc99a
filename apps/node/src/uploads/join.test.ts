import { readdir, readlink } from 'node:fs/promises'
import { CHUNK_SIZE, createFileHasher, joinedCid, parseCid } from '@tidenet/content'
import type { JoinAnswer, JoinClaims } from '@tidenet/contract'
import { partsDigest } from '@tidenet/daemon'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { blockedKey } from '../blocked-contents.ts'
import { createTestEnv, form, randomFile, type TestEnv } from '../test-env.fixture.ts'

let env: TestEnv
let node: StorageNode
beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start()
})
afterAll(() => env.stop())

/** A content that the node has. */
async function stored(size: number) {
  const { bytes, cid } = await randomFile(size)
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'file.bin')
  const token = await env.server.uploadToken(node.id, { size, max: size })
  const answer = await fetch(`${node.url}/uploadv2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(answer.status).toBe(200)
  return { cid, size, bytes }
}
type Part = Pick<Awaited<ReturnType<typeof stored>>, 'cid' | 'size'>
const sizeOf = (parts: readonly Part[]) => parts.reduce((sum, { size }) => sum + size, 0)

/** @param claims of the token; without, it is for these parts */
async function join(parts: readonly Part[], claims?: Partial<JoinClaims>) {
  const cids = parts.map(({ cid }) => cid)
  const size = sizeOf(parts)
  const token = await env.server.joinToken(node.id, { size, max: size, parts: partsDigest(cids), ...claims })
  const answer = await fetch(`${node.url}/join`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ parts: cids }),
  })
  return { status: answer.status, token, ...((await answer.json()) as JoinAnswer) }
}
async function bytesOf(cid: string): Promise<Buffer | undefined> {
  const token = await env.server.downloadToken(node.id, cid)
  const answer = await fetch(`${node.url}/ipfs/${cid}`, { headers: { authorization: `Bearer ${token}` } })
  return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : undefined
}

describe('contents that a node joins', () => {
  it('become one file, with the receipt of the token and the digests that prove it', async () => {
    const parts = [await stored(3 * CHUNK_SIZE), await stored(CHUNK_SIZE), await stored(CHUNK_SIZE + 5)]
    const joined = await join(parts)
    const whole = Buffer.concat(parts.map(({ bytes }) => bytes))
    const hasher = createFileHasher()
    hasher.update(whole)
    const cid = (await hasher.finish()).cid.toString()
    expect(joined).toMatchObject({ status: 200, code: 0, cid })
    expect(decodeJwt(joined.receipt ?? '')).toMatchObject({ cid, size: whole.length, jti: decodeJwt(joined.token).jti })
    expect((await joinedCid(parts, Buffer.from(joined.leaves ?? '', 'base64'))).toString()).toBe(cid)
    expect((await bytesOf(cid))?.equals(whole)).toBe(true)
    for (const part of parts) expect((await bytesOf(part.cid))?.equals(part.bytes)).toBe(true)
  })

  it('can be the same one several times, and need not end with a whole leaf', async () => {
    const part = await stored(CHUNK_SIZE + 1)
    const { cid = '' } = await join([part, part])
    expect((await bytesOf(cid))?.equals(Buffer.concat([part.bytes, part.bytes]))).toBe(true)
  })

  it('are joined once if the call is repeated', async () => {
    const parts = [await stored(CHUNK_SIZE), await stored(10)]
    const jti = 'a-join-that-is-repeated'
    const [first, again] = [await join(parts, { jti }), await join(parts, { jti })]
    expect(again.receipt).toBe(first.receipt)
  })

  it('are not joined again when the file was removed', async () => {
    const parts = [await stored(CHUNK_SIZE), await stored(10)]
    const jti = 'a-join-whose-file-is-removed'
    const { cid = '' } = await join(parts, { jti })
    env.server.give(node.id, { type: 'remove', cid, decided: Date.now() + 60_000 })
    await expect.poll(() => bytesOf(cid)).toBeUndefined()
    expect((await join(parts, { jti })).status).toBe(403)
  })

  it('are joined a few times only with a token whose joins break off', async () => {
    const parts = [await stored(2 * CHUNK_SIZE), await stored(10)]
    const claims = { jti: 'a-join-that-breaks-off', size: CHUNK_SIZE + 1, max: CHUNK_SIZE + 1 }
    const statuses: number[] = []
    for (let turn = 0; turn < 4; turn++) statuses.push((await join(parts, claims)).status)
    expect(statuses).toEqual([413, 413, 413, 403])
  })

  it('can be as many as an upload has parts', async () => {
    const part = await stored(3)
    const { cid = '', status } = await join(Array.from({ length: 10_000 }, () => part))
    expect(status).toBe(200)
    expect((await bytesOf(cid))?.length).toBe(30_000)
  })

  it.runIf(process.platform === 'linux')('are not kept open by a join that ended early', async () => {
    const [one, two] = [await stored(8 * CHUNK_SIZE), await stored(1000)]
    expect((await join([one, two], { size: CHUNK_SIZE + 1, max: CHUNK_SIZE + 1 })).status).toBe(413)
    env.server.give(node.id, { type: 'remove', cid: one.cid, decided: Date.now() + 60_000 })
    await expect.poll(() => bytesOf(one.cid)).toBeUndefined()
    const deleted = async () => {
      const paths = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return paths.filter((path) => path.includes('tidenet-node-') && path.endsWith('(deleted)'))
    }
    await expect.poll(deleted).toEqual([])
  })

  it('are refused: not here, not those of the token, another size, blocked, and without a token for it', async () => {
    const [one, two] = [await stored(CHUNK_SIZE), await stored(1000)]
    const absent = await randomFile(CHUNK_SIZE)
    expect((await join([{ cid: absent.cid, size: CHUNK_SIZE }, two])).status).toBe(404)
    const foreign = partsDigest([two.cid, one.cid])
    expect((await join([one, two], { parts: foreign })).status).toBe(403)
    expect((await join([one, two], { parts: undefined })).status).toBe(403)
    expect((await join([one, two], { size: sizeOf([one, two]) + 1, max: sizeOf([one, two]) + 1 })).status).toBe(422)
    expect((await join([one, two], { size: 1000, max: 1000 })).status).toBe(413)
    expect((await join([])).status).toBe(400)
    env.server.blocked = [{ id: 5, key: blockedKey(parseCid(one.cid)), blocked: true }]
    await env.server.until(() => env.server.of('heartbeat').some(({ blocked }) => blocked === 5))
    expect((await join([one, two])).status).toBe(451)
    const bare = await fetch(`${node.url}/join`, { method: 'POST', body: JSON.stringify({ parts: [one.cid] }) })
    expect(bare.status).toBe(401)
  })

  it('are the only way to use the token: it permits no upload of bytes, and one for uploads permits no joining', async () => {
    const { bytes, cid } = await randomFile(1000)
    const claims = { size: 1000, max: 1000, parts: partsDigest([cid]) }
    const [token, other] = [await env.server.joinToken(node.id, claims), await env.server.uploadToken(node.id, claims)]
    const statusOf = async (path: string, init: { body?: FormData | string; headers?: object }, as = token) => {
      const headers = { authorization: `Bearer ${as}`, ...init.headers }
      return (await fetch(`${node.url}/${path}`, { ...init, method: 'POST', headers })).status
    }
    for (const path of ['uploadv2', 'upload']) expect(await statusOf(path, { body: form(bytes) })).toBe(403)
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1000' }
    expect(await statusOf('tus', { headers: tus })).toBe(403)
    expect(await statusOf('join', { body: JSON.stringify({ parts: [cid] }) }, other)).toBe(403)
  })
})
