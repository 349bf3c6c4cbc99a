import { createHash, randomBytes } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

const CHUNK = 'application/offset+octet-stream'

/** A client of one upload, controlled step by step. */
async function setup(options: { node?: StorageNode; token?: string; claims?: object; data?: string } = {}) {
  const data = options.data ?? (await env.folder())
  let node = options.node ?? (await env.start({ data }))
  const token = options.token ?? (await env.server.uploadToken(node.id, { sub: 'u1', ...options.claims }))
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array) =>
    fetch(path.startsWith('http') ? path : node.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body && { body: Uint8Array.from(body) }),
    })
  const patch = (path: string, offset: number, body: Uint8Array, headers: Record<string, string> = {}) =>
    send('PATCH', path, { 'content-type': CHUNK, 'upload-offset': String(offset), ...headers }, body)
  const offset = async (path: string) => Number((await send('HEAD', path)).headers.get('upload-offset'))
  return {
    get node() {
      return node
    },
    token,
    send,
    leftovers: () => readdir(join(data, 'incoming')),
    create: async (length: number, headers: Record<string, string> = {}, body?: Uint8Array) => {
      const answer = await send('POST', '/tus', { 'upload-length': String(length), ...headers }, body)
      return { answer, status: answer.status, path: answer.headers.get('location') ?? '' }
    },
    patch,
    offset,
    /** Resumes as clients do: queries the offset, sends the rest, repeats if the offset changed. */
    resume: async (path: string, bytes: Uint8Array) => {
      for (;;) {
        const at = await offset(path)
        const answer = await patch(path, at, bytes.subarray(at))
        if (answer.status !== 409) return answer
      }
    },
    restart: async () => {
      await node.stop()
      node = await env.start({ data })
    },
  }
}

/** Sends the first part of a chunk and disconnects. */
function breakOff(url: string, token: string, offset: number, part: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'content-type': CHUNK,
        'upload-offset': String(offset),
        'content-length': String(part.length + 1000),
      },
    })
    sending.on('error', () => {})
    sending.on('close', () => resolve())
    sending.write(part, () => sending.destroy())
  })
}

describe('tus', () => {
  it('lists its extensions', async () => {
    const { node } = await setup()
    const answer = await fetch(`${node.url}/tus`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
    })
    expect(answer.headers.get('access-control-allow-headers')).toContain('Upload-Offset')
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH')
  })

  it('accepts a file in chunks and answers the last one like a form upload', async () => {
    const { create, patch, offset, send, leftovers } = await setup()
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
    const { create, send } = await setup()
    const { bytes, cid } = await randomFile(300_000)
    const { answer, path } = await create(300_000, { 'content-type': CHUNK }, bytes)
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ code: 0, cid })
    const head = await send('HEAD', path)
    expect([head.headers.get('upload-offset'), head.headers.get('upload-cid')]).toEqual(['300000', cid])
  })

  it('accepts the archive of a folder', async () => {
    const folder = await makeFolder({ a: randomBytes(300_000), b: { c: Buffer.from('c') } })
    const { create, patch } = await setup({ claims: { kind: 'car', cid: folder.cid } })
    const { path } = await create(folder.archive.length)
    await patch(path, 0, folder.archive.subarray(0, 1000))
    const last = await patch(path, 1000, folder.archive.subarray(1000))
    expect(await last.json()).toMatchObject({ code: 0, cid: folder.cid })
  })

  it('resumes after a client disconnected', async () => {
    const { node, create, resume, token } = await setup()
    const { bytes, cid } = await randomFile(3_000_000)
    const { path } = await create(bytes.length)
    await breakOff(node.url + path, token, 0, bytes.subarray(0, 2_000_000))
    const last = await resume(path, bytes)
    expect(await last.json()).toMatchObject({ code: 0, cid })
  })

  it('resumes after the node was restarted', async () => {
    const client = await setup()
    const { bytes, cid } = await randomFile(2_000_000)
    const { path } = await client.create(bytes.length)
    await client.patch(path, 0, bytes.subarray(0, 1_234_567))
    await client.restart()
    expect(await client.offset(path)).toBe(1_234_567)
    const last = await client.patch(path, 1_234_567, bytes.subarray(1_234_567))
    expect(await last.json()).toMatchObject({ code: 0, cid })
    await client.restart()
    const head = await client.send('HEAD', path)
    expect([head.status, head.headers.get('upload-cid')]).toEqual([200, cid])
  })

  it('lets a new request replace one that hangs', async () => {
    const { node, create, resume, token } = await setup()
    const { bytes, cid } = await randomFile(1_000_000)
    const { path } = await create(bytes.length)
    const hanging = request(node.url + path, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'content-type': CHUNK,
        'upload-offset': '0',
        'content-length': '1000000',
      },
    })
    hanging.on('error', () => {})
    await new Promise((resolve) => hanging.write(bytes.subarray(0, 100_000), resolve))
    expect(await (await resume(path, bytes)).json()).toMatchObject({ code: 0, cid })
    hanging.destroy()
  })

  it('drops a chunk whose checksum does not match, and only that', async () => {
    const { create, patch, offset } = await setup()
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

  it('discards the bytes of a rejected chunk on restart', async () => {
    const { create, patch, offset, restart } = await setup()
    const { bytes, cid } = await randomFile(600_000)
    const { path } = await create(bytes.length)
    const wrong = { 'upload-checksum': `sha256 ${createHash('sha256').update('other').digest('base64')}` }
    expect((await patch(path, 0, bytes.subarray(0, 300_000))).status).toBe(204)
    expect((await patch(path, 300_000, randomBytes(200_000), wrong)).status).toBe(460)
    await restart()
    expect(await offset(path)).toBe(300_000)
    expect(await (await patch(path, 300_000, bytes.subarray(300_000))).json()).toMatchObject({ code: 0, cid })
  })

  it('completes a folder that was fully received when the node was killed', async () => {
    const data = await env.folder()
    const folder = await makeFolder({ 'a.txt': Buffer.from('one') })
    const { create, patch, offset, restart, node } = await setup({ data, claims: { kind: 'car', cid: folder.cid } })
    const { archive } = folder
    const { path } = await create(archive.length)
    await patch(path, 0, archive.subarray(0, archive.length - 1))
    // Where the bytes are while the content is published.
    await node.stop()
    const [name = ''] = await readdir(join(data, 'incoming'))
    await rename(join(data, 'incoming', name, 'data'), join(data, 'incoming', name, 'archive.car'))
    await restart()
    expect(await offset(path)).toBe(archive.length - 1)
    const last = await patch(path, archive.length - 1, archive.subarray(-1))
    expect(await last.json()).toMatchObject({ code: 0, cid: folder.cid })
  })

  it('starts over if the bytes of an upload are missing', async () => {
    const data = await env.folder()
    const { bytes, cid } = await randomFile(600_000)
    const { create, patch, send, node } = await setup({ data, claims: { cid } })
    const { path } = await create(bytes.length)
    expect((await patch(path, 0, bytes.subarray(0, 599_999))).status).toBe(204)
    await node.stop()
    const again = await setup({ data, claims: { cid } })
    const [name = ''] = await readdir(join(data, 'incoming'))
    await rm(join(data, 'incoming', name, 'data'))
    const sent = await patch(new URL(path, again.node.url).href, 599_999, bytes.subarray(599_999))
    expect(sent.status).toBe(404)
    expect((await send('HEAD', new URL(path, again.node.url).href)).status).toBe(404)
    expect(await again.leftovers()).toEqual([])
  })

  it('frees the space of a terminated upload', async () => {
    const { create, patch, send, leftovers, node } = await setup()
    const { path } = await create(5_000_000)
    await patch(path, 0, randomBytes(1000))
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('HEAD', path)).status).toBe(404)
    expect((await patch(path, 1000, randomBytes(10))).status).toBe(404)
    expect(await leftovers()).toEqual([])
    expect(await (await fetch(`${node.url}/metrics`)).text()).toContain(`tidenet_node_free ${2 ** 33}`)
  })

  it('deletes an upload a day after its last byte', async () => {
    const clock = createClock()
    const node = await env.start({ clock })
    const token = await env.server.uploadToken(node.id, { exp: Math.floor(Date.now() / 1000) + 3 * 86_400 })
    const { create, patch, send } = await setup({ node, token })
    const { path } = await create(1000)
    expect((await patch(path, 0, randomBytes(5))).status).toBe(204)
    clock.move(20 * 3600_000)
    expect((await patch(path, 5, randomBytes(5))).status).toBe(204)
    clock.move(43 * 3600_000)
    expect((await send('HEAD', path)).status).toBe(200)
    clock.move(45 * 3600_000)
    expect((await send('HEAD', path)).status).toBe(404)
  })

  it('deletes an upload without any bytes after two minutes', async () => {
    const clock = createClock()
    const node = await env.start({ clock })
    const { create, send } = await setup({ node })
    const { path } = await create(1000)
    clock.move(115_000)
    expect((await send('HEAD', path)).status).toBe(200)
    clock.move(125_000)
    expect((await send('HEAD', path)).status).toBe(404)
  })

  it('reserves space for received bytes, not for announced ones', async () => {
    const data = await env.folder()
    const capacity = 2_000_000
    const node = await env.start({ data, capacity })
    const free = async (url: string) =>
      Number((await (await fetch(`${url}/metrics`)).text()).match(/^tidenet_node_free (\d+)/m)?.[1])
    const { create, patch, leftovers } = await setup({ node, data })
    const paused = await create(1_500_000)
    expect((await patch(paused.path, 0, randomBytes(300_000))).status).toBe(204)
    for (let i = 0; i < 20; i += 1) {
      const idle = await setup({ node })
      expect((await idle.create(1_600_000)).status).toBe(201)
    }
    expect(await free(node.url)).toBe(capacity - 300_000)
    const { bytes, cid } = await randomFile(1_600_000)
    const other = await setup({ node })
    expect(await (await other.create(bytes.length, { 'content-type': CHUNK }, bytes)).answer.json()).toMatchObject({
      cid,
    })
    expect((await leftovers()).length).toBe(21)
    await node.stop()
    const again = await env.start({ data, capacity })
    expect(await free(again.url)).toBeLessThan(capacity - 1_900_000)
  })

  it('creates one upload for two concurrent requests with one token', async () => {
    const { create, patch, leftovers } = await setup()
    const { bytes, cid } = await randomFile(100_000)
    const made = await Promise.all(Array.from({ length: 8 }, () => create(bytes.length)))
    expect(new Set(made.map(({ status, path }) => `${status} ${path}`)).size).toBe(1)
    expect(made[0]?.status).toBe(201)
    expect((await leftovers()).length).toBe(1)
    expect(await (await patch(made[0]?.path ?? '', 0, bytes)).json()).toMatchObject({ code: 0, cid })
    expect(await leftovers()).toEqual([])
  })

  it('stores one content for two concurrent complete requests with one token', async () => {
    const { create, leftovers, node } = await setup()
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

  it('accepts X-HTTP-Method-Override from clients that can only POST', async () => {
    const { create, send } = await setup()
    const { path } = await create(10)
    const headers = { 'content-type': CHUNK, 'upload-offset': '0', 'x-http-method-override': 'PATCH' }
    expect((await send('POST', path, headers, Buffer.from('abc'))).status).toBe(204)
    expect((await send('POST', path, { 'x-http-method-override': 'DELETE' })).status).toBe(204)
  })
})

describe('tus refuses', () => {
  it('other versions', async () => {
    const { send } = await setup()
    const answer = await send('POST', '/tus', { 'tus-resumable': '0.2.2', 'upload-length': '5' })
    expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  })

  it('uploads with a missing, wrong or too large length', async () => {
    const { create, send } = await setup({ claims: { max: 1000 } })
    expect((await send('POST', '/tus')).status).toBe(400)
    expect((await create(0)).status).toBe(400)
    expect((await create(-1)).status).toBe(400)
    expect((await create(1001)).status).toBe(413)
    const sized = await setup({ claims: { size: 10 } })
    expect((await sized.create(9)).status).toBe(422)
  })

  it('malformed metadata, and a kind that the token does not allow', async () => {
    const { create } = await setup()
    expect((await create(5, { 'upload-metadata': 'a b c' })).status).toBe(400)
    expect((await create(5, { 'upload-metadata': `kind ${btoa('car')}` })).status).toBe(403)
  })

  it('chunks at another offset, of another type, or beyond the length', async () => {
    const { create, patch, send, offset } = await setup()
    const { path } = await create(10)
    expect((await patch(path, 5, Buffer.from('x'))).status).toBe(409)
    expect(
      (await send('PATCH', path, { 'upload-offset': '0', 'content-type': 'text/plain' }, Buffer.from('x'))).status,
    ).toBe(415)
    expect((await send('PATCH', path, { 'content-type': CHUNK }, Buffer.from('x'))).status).toBe(400)
    expect((await patch(path, 0, Buffer.alloc(11))).status).toBe(413)
    expect(await offset(path)).toBe(0)
  })

  it('bytes that do not match the CID of the token, and frees their space', async () => {
    const { cid } = await randomFile(1000)
    const { create, patch, leftovers } = await setup({ claims: { cid } })
    const { path } = await create(1000)
    expect((await patch(path, 0, randomBytes(1000))).status).toBe(400)
    expect(await leftovers()).toEqual([])
  })

  it('more than its capacity, at creation, and also later if other uploads used the space', async () => {
    const node = await env.start({ capacity: 1_000_000 })
    const first = await setup({ node })
    const second = await setup({ node })
    const third = await setup({ node })
    expect((await first.create(1_100_000)).status).toBe(503)
    const slow = await first.create(700_000)
    const fast = await second.create(400_000)
    expect([slow.status, fast.status]).toEqual([201, 201])
    const { bytes, cid } = await randomFile(700_000)
    expect((await first.patch(slow.path, 0, bytes.subarray(0, 300_000))).status).toBe(204)
    const other = await randomFile(400_000)
    expect((await second.patch(fast.path, 0, other.bytes)).status).toBe(200)
    expect((await first.resume(slow.path, bytes)).status).toBe(503)
    expect((await third.create(400_000)).status).toBe(503)
    // The received bytes are kept, and the upload continues once there is space.
    expect(await first.offset(slow.path)).toBeGreaterThanOrEqual(300_000)
    env.server.give(node.id, { type: 'remove', cid: other.cid, decided: Date.now() } as never)
    await expect.poll(async () => (await first.resume(slow.path, bytes)).status, { timeout: 10_000 }).toBe(200)
    expect(await (await first.send('HEAD', slow.path)).headers.get('upload-cid')).toBe(cid)
  })

  it('more unfinished uploads than an account may have, in the caller’s language', async () => {
    const node = await env.start()
    const client = async (sub: string) => setup({ node, token: await env.server.uploadToken(node.id, { sub }) })
    const mine = await Promise.all(Array.from({ length: 110 }, () => client('greedy')))
    const statuses = await Promise.all(mine.map(async ({ create }) => (await create(1000)).status))
    expect(statuses.filter((status) => status === 201).length).toBe(100)
    expect(statuses.filter((status) => status === 429).length).toBe(10)
    const more = await client('greedy')
    const [en, cn] = await Promise.all(
      ['en', 'cn'].map(async (lang) => (await more.create(1000, { lang })).answer.text()),
    )
    expect(en).not.toMatch(/\p{Script=Han}/u)
    expect(cn).toMatch(/\p{Script=Han}/u)
    expect((await (await client('modest')).create(1000)).status).toBe(201)
  })

  it('more unfinished uploads than a client network may have, over all its accounts', async () => {
    const node = await env.start({ trustProxy: '127.0.0.1' })
    let count = 0
    const create = async (ip: string) => {
      count += 1
      const client = await setup({ node, token: await env.server.uploadToken(node.id, { sub: `u${count}` }) })
      return (await client.create(1000, { 'x-forwarded-for': ip })).status
    }
    const household = await Promise.all(
      Array.from({ length: 310 }, (_, i) => create(`2a00:1450:1:2::${i.toString(16)}`)),
    )
    expect(household.filter((status) => status === 201).length).toBe(300)
    expect(household.filter((status) => status === 429).length).toBe(10)
    expect(await create('2a00:1450:1:3::1')).toBe(201)
    expect(await create('8.8.8.8')).toBe(201)
  })

  it('everyone but the account that began the upload', async () => {
    const { create, node } = await setup()
    const { path } = await create(10)
    const other = await setup({ node, token: await env.server.uploadToken(node.id, { sub: 'someone else' }) })
    expect((await other.patch(path, 0, Buffer.from('x'))).status).toBe(403)
    expect((await other.send('HEAD', path)).status).toBe(403)
    expect((await other.send('DELETE', path)).status).toBe(403)
    const nobody = await setup({ node, token: 'nonsense' })
    expect((await nobody.patch(path, 0, Buffer.from('x'))).status).toBe(401)
    expect((await nobody.create(10)).status).toBe(401)
  })
})
