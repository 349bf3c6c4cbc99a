import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'
import { CHUNK, tusClient } from './tus-client.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

describe('tus', () => {
  it('lists its extensions', async () => {
    const { node } = await tusClient(env)
    const answer = await fetch(`${node.url}/tus`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension':
        'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum,concatenation',
    })
    for (const name of ['Upload-Offset', 'Upload-Concat', 'Upload-Defer-Length', 'Upload-Checksum', 'X-Request-ID'])
      expect(answer.headers.get('access-control-allow-headers')).toContain(name)
    for (const name of ['Location', 'Upload-Concat', 'Upload-Defer-Length', 'Upload-Offset', 'Upload-Length'])
      expect(answer.headers.get('access-control-expose-headers')).toContain(name)
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH')
  })

  it('accepts a file in chunks and answers the last one like a form upload', async () => {
    const { create, patch, offset, send, leftovers } = await tusClient(env)
    const { bytes, cid } = await randomFile(1_000_000)
    const { status, path } = await create(1_000_000, {
      'upload-metadata': `filename ${btoa('a.bin')},kind ${btoa('file')}`,
    })
    expect(status).toBe(201)
    expect(await offset(path)).toBe(0)
    const first = await patch(path, 0, bytes.subarray(0, 400_001))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '400001'])
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now())
    const head = await send('HEAD', path)
    expect(head.headers.get('cache-control')).toBe('no-store')
    expect(head.headers.get('upload-length')).toBe('1000000')
    const last = await patch(path, 400_001, bytes.subarray(400_001))
    expect(last.headers.get('upload-offset')).toBe('1000000')
    expect(await last.json()).toMatchObject({ code: 0, cid, receipt: last.headers.get('upload-receipt') })
    expect(await leftovers()).toEqual([])
  })

  it('accepts the whole file at creation', async () => {
    const { create, send } = await tusClient(env)
    const { bytes, cid } = await randomFile(300_000)
    const { answer, path } = await create(300_000, { 'content-type': CHUNK }, bytes)
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ code: 0, cid })
    const head = await send('HEAD', path)
    expect([head.headers.get('upload-offset'), head.headers.get('upload-cid')]).toEqual(['300000', cid])
  })

  it('accepts the archive of a folder', async () => {
    const folder = await makeFolder({ a: randomBytes(300_000), b: { c: Buffer.from('c') } })
    const { create, patch } = await tusClient(env, { claims: { kind: 'car', cid: folder.cid } })
    const { path } = await create(folder.archive.length)
    await patch(path, 0, folder.archive.subarray(0, 1000))
    const last = await patch(path, 1000, folder.archive.subarray(1000))
    expect(await last.json()).toMatchObject({ code: 0, cid: folder.cid })
  })

  it('drops a chunk whose checksum does not match, and only that', async () => {
    const { create, patch, offset } = await tusClient(env)
    const { bytes, cid } = await randomFile(600_000)
    const sum = (part: Uint8Array) => `sha256 ${createHash('sha256').update(part).digest('base64')}`
    const { path } = await create(bytes.length)
    const first = bytes.subarray(0, 300_000)
    const second = bytes.subarray(300_000)
    expect((await patch(path, 0, first, { 'upload-checksum': sum(first) })).status).toBe(204)
    expect((await patch(path, 300_000, second, { 'upload-checksum': sum(first) })).status).toBe(460)
    expect(await offset(path)).toBe(300_000)
    expect((await patch(path, 300_000, second, { 'upload-checksum': 'crc32 AAAA' })).status).toBe(400)
    const last = await patch(path, 300_000, second, { 'upload-checksum': sum(second) })
    expect(await last.json()).toMatchObject({ code: 0, cid })
  })

  it('creates one upload for two concurrent requests with one token', async () => {
    const { create, patch, leftovers } = await tusClient(env)
    const { bytes, cid } = await randomFile(100_000)
    const made = await Promise.all(Array.from({ length: 8 }, () => create(bytes.length)))
    expect(new Set(made.map(({ status, path }) => `${status} ${path}`)).size).toBe(1)
    expect(made[0]?.status).toBe(201)
    expect((await leftovers()).length).toBe(1)
    expect(await (await patch(made[0]?.path ?? '', 0, bytes)).json()).toMatchObject({ code: 0, cid })
    expect(await leftovers()).toEqual([])
  })

  it('stores one content for two concurrent complete requests with one token', async () => {
    const { create, leftovers, node } = await tusClient(env)
    const { bytes, cid } = await randomFile(900_000)
    const made = await Promise.all([1, 2, 3].map(() => create(bytes.length, { 'content-type': CHUNK }, bytes)))
    const statuses = made.map(({ status }) => status)
    expect(statuses).toContain(201)
    expect(statuses.every((status) => status === 201 || (status >= 400 && status < 500))).toBe(true)
    const first = made.find(({ status }) => status === 201)
    expect(await first?.answer.json()).toMatchObject({ cid })
    expect(await leftovers()).toEqual([])
    expect(node.id).toBeTruthy()
  })

  it('accepts an empty file, also one whose length comes last', async () => {
    const { cid } = await randomFile(0)
    const one = await tusClient(env)
    const made = await one.create(0)
    expect([made.status, made.answer.headers.get('upload-cid')]).toEqual([201, cid])
    const head = await one.send('HEAD', made.path)
    expect([head.headers.get('upload-length'), head.headers.get('upload-offset')]).toEqual(['0', '0'])
    const two = await tusClient(env, { node: one.node })
    const deferred = await two.send('POST', '/tus', { 'upload-defer-length': '1' })
    const path = deferred.headers.get('location') ?? ''
    const last = await two.patch(path, 0, Buffer.alloc(0), { 'upload-length': '0' })
    expect(await last.json()).toMatchObject({ code: 0, cid })
  })

  it('takes the token in the query of every request', async () => {
    const { node, token } = await tusClient(env)
    const { bytes, cid } = await randomFile(1000)
    const send = (method: string, url: string, headers: Record<string, string>, body?: Uint8Array) =>
      fetch(url, {
        method,
        headers: { 'tus-resumable': '1.0.0', ...headers },
        ...(body && { body: Uint8Array.from(body) }),
      })
    const made = await send('POST', `${node.url}/tus?token=${token}`, { 'upload-length': '1000' })
    const url = new URL(made.headers.get('location') ?? '', node.url).href
    const chunk = (offset: number) => ({ 'content-type': CHUNK, 'upload-offset': String(offset) })
    expect((await send('PATCH', url, chunk(0), bytes.subarray(0, 10))).status).toBe(204)
    expect((await send('HEAD', url, {})).headers.get('upload-offset')).toBe('10')
    expect(await (await send('PATCH', url, chunk(10), bytes.subarray(10))).json()).toMatchObject({ cid })
    const other = await env.server.uploadToken(node.id)
    const again = await send('POST', `${node.url}/tus?token=${other}`, { 'upload-length': '1000' })
    const second = new URL(again.headers.get('location') ?? '', node.url)
    expect((await send('DELETE', second.href, {})).status).toBe(204)
    second.search = ''
    expect((await send('HEAD', second.href, {})).status).toBe(401)
  })

  it('accepts X-HTTP-Method-Override from clients that can only POST', async () => {
    const { create, send } = await tusClient(env)
    const { path } = await create(10)
    const headers = { 'content-type': CHUNK, 'upload-offset': '0', 'x-http-method-override': 'PATCH' }
    expect((await send('POST', path, headers, Buffer.from('abc'))).status).toBe(204)
    expect((await send('POST', path, { 'x-http-method-override': 'DELETE' })).status).toBe(204)
  })
})
