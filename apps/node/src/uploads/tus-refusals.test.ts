import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'
import { CHUNK, tusClient } from './tus-client.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

describe('tus refuses', () => {
  it('other versions', async () => {
    const { send } = await tusClient(env)
    const answer = await send('POST', '/tus', { 'tus-resumable': '0.2.2', 'upload-length': '5' })
    expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  })

  it('uploads with a missing, wrong or too large length', async () => {
    const { create, send } = await tusClient(env, { claims: { max: 1000 } })
    expect((await send('POST', '/tus')).status).toBe(400)
    expect((await create(-1)).status).toBe(400)
    expect((await create(1001)).status).toBe(413)
    const sized = await tusClient(env, { claims: { size: 10 } })
    expect((await sized.create(9)).status).toBe(422)
    expect((await sized.create(0)).status).toBe(422)
  })

  it('malformed metadata, and a kind that the token does not allow', async () => {
    const { create } = await tusClient(env)
    expect((await create(5, { 'upload-metadata': 'a b c' })).status).toBe(400)
    expect((await create(5, { 'upload-metadata': `kind ${btoa('car')}` })).status).toBe(403)
  })

  it('chunks at another offset, of another type, or beyond the length', async () => {
    const { create, patch, send, offset } = await tusClient(env)
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
    const { create, patch, leftovers } = await tusClient(env, { claims: { cid } })
    const { path } = await create(1000)
    expect((await patch(path, 0, randomBytes(1000))).status).toBe(400)
    expect(await leftovers()).toEqual([])
  })

  it('more than its capacity, at creation, and also later if other uploads used the space', async () => {
    const node = await env.start({ capacity: 1_000_000 })
    const first = await tusClient(env, { node })
    const second = await tusClient(env, { node })
    const third = await tusClient(env, { node })
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
    const client = async (sub: string) =>
      tusClient(env, { node, token: await env.server.uploadToken(node.id, { sub }) })
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
      const client = await tusClient(env, { node, token: await env.server.uploadToken(node.id, { sub: `u${count}` }) })
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
    const { create, node } = await tusClient(env)
    const { path } = await create(10)
    const other = await tusClient(env, { node, token: await env.server.uploadToken(node.id, { sub: 'someone else' }) })
    expect((await other.patch(path, 0, Buffer.from('x'))).status).toBe(403)
    expect((await other.send('HEAD', path)).status).toBe(403)
    expect((await other.send('DELETE', path)).status).toBe(403)
    const nobody = await tusClient(env, { node, token: 'nonsense' })
    expect((await nobody.patch(path, 0, Buffer.from('x'))).status).toBe(401)
    expect((await nobody.create(10)).status).toBe(401)
  })
})
