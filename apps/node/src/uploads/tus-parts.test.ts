import { createHash, randomBytes } from 'node:crypto'
import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'
import { CHUNK, tusClient } from './tus-client.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

const PART = { 'upload-concat': 'partial' }
type Client = Awaited<ReturnType<typeof tusClient>>

/** Creates a part and sends its bytes. */
async function sendPart({ create, patch }: Client, bytes: Uint8Array): Promise<string> {
  const { path } = await create(bytes.length, PART)
  if (bytes.length > 0) await patch(path, 0, bytes)
  return path
}
const join = ({ send }: Client, parts: readonly string[], headers: Record<string, string> = {}) =>
  send('POST', '/tus', { 'upload-concat': `final;${parts.join(' ')}`, ...headers })

describe('parts of an upload', () => {
  it('become one file, in the order of the last request', async () => {
    const client = await tusClient(env)
    const { bytes, cid } = await randomFile(900_000)
    const second = await sendPart(client, bytes.subarray(300_001))
    const first = await sendPart(client, bytes.subarray(0, 300_001))
    const empty = await sendPart(client, Buffer.alloc(0))
    const head = await client.send('HEAD', first)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-concat': 'partial',
      'upload-offset': '300001',
      'upload-length': '300001',
    })
    expect(head.headers.has('upload-expires')).toBe(true)
    const joined = await join(client, [first, empty, client.node.url + second])
    expect(joined.status).toBe(201)
    expect(await joined.json()).toMatchObject({ code: 0, cid })
    const final = await client.send('HEAD', joined.headers.get('location') ?? '')
    expect(Object.fromEntries(final.headers)).toMatchObject({
      'upload-concat': `final;${first} ${empty} ${client.node.url}${second}`,
      'upload-offset': '900000',
      'upload-length': '900000',
      'upload-cid': cid,
    })
    expect(await client.leftovers()).toEqual([])
  })

  it('are joined once: a repeated request gets the same answer', async () => {
    const client = await tusClient(env)
    const { bytes, cid } = await randomFile(500_000)
    const parts = [await sendPart(client, bytes.subarray(0, 7)), await sendPart(client, bytes.subarray(7))]
    const [one, two] = await Promise.all([join(client, parts), join(client, parts)])
    const again = await join(client, parts)
    expect([one.status, two.status].sort()).toEqual([201, expect.any(Number)])
    expect(again.status).toBe(201)
    expect(await again.json()).toMatchObject({ cid, receipt: again.headers.get('upload-receipt') })
  })

  it('survive a restart, and are checked like other uploads', async () => {
    const client = await tusClient(env)
    const { bytes, cid } = await randomFile(600_000)
    const sum = (part: Uint8Array) => `md5 ${createHash('md5').update(part).digest('base64')}`
    const first = await client.create(200_000, PART)
    const half = bytes.subarray(0, 200_000)
    expect((await client.patch(first.path, 0, half, { 'upload-checksum': sum(bytes) })).status).toBe(460)
    expect((await client.patch(first.path, 0, half, { 'upload-checksum': sum(half) })).status).toBe(204)
    const second = await client.create(400_000, { ...PART, 'content-type': CHUNK }, bytes.subarray(200_000, 300_000))
    await client.restart()
    expect(await client.offset(second.path)).toBe(100_000)
    expect((await client.patch(second.path, 100_000, bytes.subarray(300_000))).status).toBe(204)
    expect(await (await join(client, [first.path, second.path])).json()).toMatchObject({ cid })
  })

  it('can have an unknown length, and be the archive of a folder', async () => {
    const folder = await makeFolder({ a: randomBytes(300_000), b: { c: Buffer.from('c') } })
    const client = await tusClient(env, { claims: { kind: 'car', cid: folder.cid } })
    const { archive } = folder
    const made = await client.send('POST', '/tus', { ...PART, 'upload-defer-length': '1' })
    const first = made.headers.get('location') ?? ''
    expect((await client.send('HEAD', first)).headers.get('upload-defer-length')).toBe('1')
    await client.patch(first, 0, archive.subarray(0, 1000))
    expect((await join(client, [first])).status).toBe(409)
    expect((await client.patch(first, 1000, Buffer.alloc(0), { 'upload-length': '1000' })).status).toBe(204)
    const second = await sendPart(client, archive.subarray(1000))
    expect(await (await join(client, [first, second])).json()).toMatchObject({ cid: folder.cid })
  })

  it('end with their token', async () => {
    const clock = createClock()
    const node = await env.start({ clock })
    const token = await env.server.uploadToken(node.id, { exp: Math.floor(Date.now() / 1000) + 3600 })
    const client = await tusClient(env, { node, token })
    const path = await sendPart(client, randomBytes(1000))
    const later = { authorization: `Bearer ${await env.server.uploadToken(node.id, { sub: 'u1', exp: 4e9 })}` }
    clock.move(3590_000)
    expect((await client.send('HEAD', path, later)).status).toBe(200)
    clock.move(3610_000)
    expect((await client.send('HEAD', path, later)).status).toBe(404)
  })

  it('are replaced by an upload without parts of the same token, and replace one', async () => {
    const client = await tusClient(env)
    const whole = await client.create(100)
    const part = await sendPart(client, randomBytes(10))
    expect((await client.send('HEAD', whole.path)).status).toBe(404)
    await client.create(100)
    expect((await client.send('HEAD', part)).status).toBe(404)
    expect((await client.leftovers()).length).toBe(1)
  })

  it('can be terminated', async () => {
    const client = await tusClient(env)
    const path = await sendPart(client, randomBytes(1000))
    expect((await client.send('DELETE', path)).status).toBe(204)
    expect((await join(client, [path])).status).toBe(404)
    expect(await client.leftovers()).toEqual([])
  })
})

describe('tus refuses', () => {
  it('parts that have more bytes together than the token allows, and keeps what it allows', async () => {
    const client = await tusClient(env, { claims: { size: 1000 } })
    const one = await client.create(1000, PART)
    const two = await client.create(1000, PART)
    expect((await client.patch(one.path, 0, randomBytes(600))).status).toBe(204)
    expect((await client.patch(two.path, 0, randomBytes(401))).status).toBe(422)
    expect((await client.patch(two.path, 0, randomBytes(400))).status).toBe(204)
    const both = await Promise.all([
      client.patch(one.path, 600, randomBytes(1)),
      client.patch(two.path, 400, randomBytes(1)),
    ])
    expect(both.map(({ status }) => status)).toEqual([422, 422])
    expect((await client.create(1001, PART)).status).toBe(422)
  })

  it('an unknown length that grows beyond the token', async () => {
    const client = await tusClient(env, { claims: { max: 1000 } })
    const made = await client.send('POST', '/tus', { 'upload-defer-length': '1' })
    const path = made.headers.get('location') ?? ''
    expect((await client.patch(path, 0, randomBytes(1001))).status).toBe(413)
    expect((await client.patch(path, 0, randomBytes(900))).status).toBe(204)
    expect((await client.patch(path, 900, randomBytes(101))).status).toBe(413)
    expect((await client.patch(path, 900, Buffer.alloc(0), { 'upload-length': '1001' })).status).toBe(413)
    expect((await client.patch(path, 900, Buffer.alloc(0), { 'upload-length': '899' })).status).toBe(400)
    expect((await client.patch(path, 900, Buffer.alloc(0), { 'upload-length': '950' })).status).toBe(204)
    expect((await client.patch(path, 900, Buffer.alloc(0), { 'upload-length': '960' })).status).toBe(400)
    expect((await client.patch(path, 900, randomBytes(50))).status).toBe(200)
  })

  it('a malformed Upload-Defer-Length, or one beside a length', async () => {
    const { send } = await tusClient(env)
    expect((await send('POST', '/tus', { 'upload-defer-length': '2' })).status).toBe(400)
    expect((await send('POST', '/tus', { 'upload-defer-length': '1', 'upload-length': '5' })).status).toBe(400)
  })

  it.each(['final', 'final;', 'final; ', 'parts', 'final;/elsewhere/x', `final;${'/tus/a '.repeat(1900)}`])(
    'the Upload-Concat %.20s',
    async (concat) => {
      const { send } = await tusClient(env)
      expect((await send('POST', '/tus', { 'upload-concat': concat })).status).toBe(400)
    },
  )

  it('to join parts that are unfinished, unknown, or no parts, and keeps them', async () => {
    const client = await tusClient(env)
    const done = await sendPart(client, randomBytes(10))
    const { path } = await client.create(10, PART)
    expect((await join(client, [done, path])).status).toBe(409)
    expect((await join(client, [done, '/tus/nothing'])).status).toBe(404)
    expect((await client.send('HEAD', done)).status).toBe(200)
  })

  it('to join bytes that do not match the token', async () => {
    const { cid } = await randomFile(1000)
    const client = await tusClient(env, { claims: { cid } })
    const part = await sendPart(client, randomBytes(1000))
    expect((await join(client, [part])).status).toBe(400)
  })

  it('to join the same bytes twice beyond the token', async () => {
    const client = await tusClient(env, { claims: { max: 1500 } })
    const part = await sendPart(client, randomBytes(1000))
    expect((await join(client, [part, part])).status).toBe(413)
  })

  it('to join parts of another token, also one of the same account', async () => {
    const mine = await tusClient(env)
    const part = await sendPart(mine, randomBytes(1000))
    const { node } = mine
    const sameAccount = await tusClient(env, { node })
    const stranger = await tusClient(env, { node, token: await env.server.uploadToken(node.id, { sub: 'stranger' }) })
    expect((await join(sameAccount, [part])).status).toBe(403)
    expect((await join(stranger, [part])).status).toBe(403)
    expect((await stranger.send('HEAD', part)).status).toBe(403)
    expect((await join(mine, [part])).status).toBe(201)
  })

  it('more parts than an upload may have', async () => {
    const { create } = await tusClient(env)
    const made = await Promise.all(Array.from({ length: 40 }, () => create(10, PART)))
    const statuses = made.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBe(32)
    expect(statuses.filter((status) => status === 429).length).toBe(8)
  })

  it('to join on a disk without space for both, and keeps the parts', async () => {
    const node = await env.start({ capacity: 1_500_000 })
    const client = await tusClient(env, { node })
    const part = await sendPart(client, randomBytes(1_000_000))
    expect((await join(client, [part])).status).toBe(503)
    expect((await client.send('HEAD', part)).headers.get('upload-offset')).toBe('1000000')
  })
})
