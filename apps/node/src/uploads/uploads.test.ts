import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { rawCid } from '@tidenet/content'
import { dagPbBlock, directoryData } from '@tidenet/content/unixfs'
import { receiptClaims, type UploadClaims } from '@tidenet/contract'
import { compactVerify, decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, form, randomFile, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeArchive, makeFolder } from '../test-folder.fixture.ts'

let env: TestEnv
let data: string
let node: StorageNode
beforeAll(async () => {
  env = await createTestEnv()
  data = await env.folder()
  node = await env.start({ data })
})
afterAll(() => env.stop())

const leftovers = () => readdir(join(data, 'incoming'))
const free = async () => (await (await fetch(`${node.url}/metrics`)).text()).match(/^tidenet_node_free (\d+)/m)?.[1]

/** Posts any body with a valid token. */
async function post(
  path: string,
  body: FormData | string,
  headers: Record<string, string> = {},
  claims: Partial<UploadClaims> = {},
) {
  const token = await env.server.uploadToken(node.id, claims)
  const answer = await fetch(node.url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return {
    status: answer.status,
    ...((await answer.json()) as { code: number; err: number; msg: string; cid?: string }),
  }
}

describe('an upload of a file', () => {
  it.each([1, 262_144, 262_145, 3_000_000, 50_000_000])(
    'of %i bytes is stored under its CID, with a signed receipt',
    async (size) => {
      const { bytes, cid } = await randomFile(size)
      const answer = await upload(env, node, bytes, { sub: 'u7', tid: 't7', jti: `j${size}` })
      expect(answer).toMatchObject({ status: 200, code: 0, err: 0, msg: '', cid })

      const registered = env.server.of('register').at(-1)
      const key = createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: String(registered?.public_key) },
        format: 'jwk',
      })
      const { payload } = await compactVerify(answer.receipt ?? '', key)
      expect(receiptClaims.parse(JSON.parse(Buffer.from(payload).toString()))).toMatchObject({
        iss: node.id,
        sub: 'u7',
        tid: 't7',
        jti: `j${size}`,
        cid,
        kind: 'file',
        size,
      })
      expect(env.server.of('receipts').at(-1)).toEqual({ receipts: [answer.receipt] })
      expect(await leftovers()).toEqual([])
    },
  )

  it('accepts the token in the query or in a field before the file, and ignores other fields', async () => {
    const { bytes, cid } = await randomFile(1000)
    for (const [query, fields] of [
      [`?token=${await env.server.uploadToken(node.id)}`, { other: 'x'.repeat(5000) }],
      ['', { token: await env.server.uploadToken(node.id), other: 'x' }],
    ] as const) {
      const answer = await fetch(`${node.url}/uploadv2${query}`, { method: 'POST', body: form(bytes, fields) })
      expect(await answer.json()).toMatchObject({ code: 0, cid })
    }
  })

  it('succeeds if the content is already stored, with the same receipt for the same token', async () => {
    const { bytes, cid } = await randomFile(300_000)
    const first = await upload(env, node, bytes, { jti: 'same' })
    const again = await upload(env, node, bytes, { jti: 'same' })
    const other = await upload(env, node, bytes)
    expect(again).toEqual(first)
    expect(other).toMatchObject({ code: 0, cid })
    expect(other.receipt).not.toBe(first.receipt)
  })

  it('stores one content for ten concurrent uploads of the same bytes', async () => {
    const { bytes, cid } = await randomFile(700_000)
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(env, node, bytes)))
    expect(answers.map((answer) => answer.cid)).toEqual(Array(10).fill(cid))
    expect(await leftovers()).toEqual([])
  })

  it('returns its receipt while the server is unavailable, and submits it later', async () => {
    const { bytes } = await randomFile(1000)
    env.server.away = true
    const answer = await upload(env, node, bytes)
    expect(answer).toMatchObject({ code: 0 })
    const arrived = env.server.until(() =>
      env.server.of('receipts').some(({ receipts }) => (receipts as string[]).includes(answer.receipt ?? '')),
    )
    env.server.away = false
    await arrived
  })

  it('and its download are reported again to a server that rate-limits the node', async () => {
    const { bytes, cid } = await randomFile(1000)
    env.server.busy = true
    const { receipt = '' } = await upload(env, node, bytes)
    const token = await env.server.downloadToken(node.id, cid)
    await (await fetch(`${node.url}/ipfs/${cid}?token=${token}`)).arrayBuffer()
    // Wait until the node has tried both.
    await env.server.until(() => (['receipts', 'served'] as const).every((call) => env.server.refused.has(call)))
    env.server.busy = false
    await env.server.until(() => {
      const receipts = env.server.of('receipts').flatMap(({ receipts }) => receipts as string[])
      const served = env.server.of('served').flatMap(({ transfers }) => transfers as { cid: string }[])
      return receipts.includes(receipt) && served.some((transfer) => transfer.cid === cid)
    })
  })
})

describe('an upload of a folder', () => {
  const tree = { 'a.txt': Buffer.from('hello'), docs: { 'big.bin': randomBytes(600_000), empty: {} } }

  it.each(['form', 'body'] as const)('is accepted as a %s', async (as) => {
    const folder = await makeFolder({ ...tree, [as]: Buffer.from(as) })
    const answer = await uploadArchive(env, node, folder, { as })
    expect(answer).toMatchObject({ status: 200, code: 0, cid: folder.cid })
    expect(await leftovers()).toEqual([])
  })

  it('may contain a block twice', async () => {
    const folder = await makeFolder({ a: Buffer.from('twice'), b: Buffer.from('other') })
    const archive = await makeArchive([folder.root], [...folder.blocks, ...folder.blocks])
    const twice = await uploadArchive(env, node, { ...folder, archive })
    const once = await uploadArchive(env, node, folder)
    expect(twice).toMatchObject({ code: 0, cid: folder.cid })
    // One folder has one size; otherwise a second upload would contradict the first.
    expect(decodeJwt(twice.receipt as string).size).toBe(decodeJwt(once.receipt as string).size)
  })

  it.each([
    ['another root', async () => ({ ...(await makeFolder({ x: Buffer.from('x') })), cid: (await makeFolder({})).cid })],
    ['a missing block', async () => withBlocks((blocks) => blocks.slice(1))],
    [
      'a block that does not belong',
      async () => withBlocks((blocks) => [...blocks, { cid: blocks[0]!.cid, bytes: blocks[0]!.bytes }, stranger]),
    ],
    [
      'a wrong block',
      async () => withBlocks((blocks) => [{ cid: blocks[0]!.cid, bytes: Buffer.from('forged') }, ...blocks.slice(1)]),
    ],
    ['its end cut off', async () => withArchive((archive) => archive.subarray(0, -3))],
    [
      'garbage at its end',
      async () => withArchive((archive) => Buffer.concat([archive, Buffer.from([5, 1, 2, 3, 4, 5])])),
    ],
    ['no archive at all', async () => withArchive(() => randomBytes(1000))],
    ['nothing', async () => withArchive(() => Buffer.alloc(0))],
  ])('is refused with %s', async (_what, make) => {
    const before = await free()
    expect(await uploadArchive(env, node, await make())).toMatchObject({ status: 400, code: -1 })
    expect(await leftovers()).toEqual([])
    expect(await free()).toBe(before)
  })

  it.each([
    ['a name that leads out of it', async () => makeFolder({ '../foo': Buffer.from('x') })],
    ['a name that is none', async () => makeFolder({ docs: { '.': Buffer.from('x') } })],
    ['a symbolic link', withSymlink],
  ])('is refused with %s, and says so in the language of its sender', async (_what, make) => {
    const folder = await make()
    const [en, cn] = await Promise.all(
      ['en', 'cn'].map((lang) => uploadArchive(env, node, folder, { headers: { lang } })),
    )
    expect([en, cn]).toMatchObject([{ status: 400 }, { status: 400 }])
    expect(en?.msg).not.toMatch(/\p{Script=Han}/u)
    expect(cn?.msg).toMatch(/\p{Script=Han}/u)
    expect(await leftovers()).toEqual([])
  })

  const strangeBytes = Buffer.from('stranger')
  let stranger: { cid: Awaited<ReturnType<typeof rawCid>>; bytes: Buffer }
  beforeAll(async () => {
    stranger = { cid: await rawCid(strangeBytes), bytes: strangeBytes }
  })
  type Blocks = Awaited<ReturnType<typeof makeFolder>>['blocks']
  async function withBlocks(change: (blocks: Blocks) => Blocks) {
    const folder = await makeFolder({ 'one.txt': randomBytes(100), 'two.txt': Buffer.from('two') })
    return { ...folder, archive: await makeArchive([folder.root], change(folder.blocks)) }
  }
  async function withArchive(change: (archive: Buffer) => Buffer) {
    const folder = await makeFolder({ 'one.txt': randomBytes(100) })
    return { ...folder, archive: change(folder.archive) }
  }
  async function withSymlink() {
    const link = await dagPbBlock([], Uint8Array.from([0x08, 4, 0x12, 1, 0x61]))
    const links = [{ name: 'link', cidBytes: link.cid.bytes, cumulativeSize: link.bytes.length }]
    const root = await dagPbBlock(links, directoryData())
    return { cid: root.cid.toString(), archive: await makeArchive([root.cid], [root, link]) }
  }
})

describe('an upload is refused', () => {
  it('without a token, with a forged, expired or foreign one, or one for downloads', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const exp = Math.floor(Date.now() / 1000) + 60
    const claims = {
      typ: 'upload',
      kind: 'file',
      max: 10,
      jti: 'x',
      sub: 'u',
      tid: 't',
      iss: 'tidenet',
      aud: node.id,
      exp,
    }
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: 'test' }).sign(privateKey)
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`
    const symmetric = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'test' }).sign(randomBytes(32))
    const genuine = await env.server.uploadToken(node.id)
    const [head, , signature] = genuine.split('.')
    const altered = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
    const expired = await env.server.uploadToken(node.id, { exp: exp - 120 })
    const foreign = await env.server.uploadToken('c_other')
    const download = await env.server.downloadToken(node.id, 'bafkqaaa')
    for (const [token, status] of [
      ['', 401],
      ['nonsense', 401],
      [none, 401],
      [forged, 401],
      [symmetric, 401],
      [altered, 401],
      [`${genuine}.${signature}`, 401],
      [genuine.slice(0, -6), 401],
      [expired, 401],
      [foreign, 403],
      [download, 403],
    ] as const) {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      const answer = await fetch(`${node.url}/uploadv2`, { method: 'POST', headers, body: form(Buffer.from('x')) })
      expect([token, answer.status]).toEqual([token, status])
      expect(await answer.json()).toMatchObject({ code: -1, err: 10012 })
    }
  })

  it('when its token has stored another content', async () => {
    await upload(env, node, Buffer.from('first'), { jti: 'once' })
    expect(await upload(env, node, Buffer.from('second'), { jti: 'once' })).toMatchObject({ status: 403, code: -1 })
  })

  it('when it is larger than allowed, or another size than announced', async () => {
    const bytes = randomBytes(200_000)
    expect(await upload(env, node, bytes, { max: 199_999 })).toMatchObject({ status: 413 })
    expect(await upload(env, node, bytes, { max: 100 })).toMatchObject({ status: 413 })
    expect(await upload(env, node, bytes, { size: 199_999 })).toMatchObject({ status: 422 })
    expect(await upload(env, node, bytes, { size: 200_001 })).toMatchObject({ status: 422 })
    expect(await upload(env, node, bytes, { size: 200_000 })).toMatchObject({ status: 200 })
  })

  it('when the file is empty, missing, or not the one named', async () => {
    expect(await upload(env, node, Buffer.alloc(0))).toMatchObject({ status: 400, err: 10030 })
    const without = new FormData()
    without.append('other', 'x')
    expect(await post('/uploadv2', without)).toMatchObject({ status: 400, code: -1 })
    const { cid } = await randomFile(10)
    expect(await upload(env, node, randomBytes(10), { cid })).toMatchObject({ status: 400, code: -1 })
  })

  it('when the body is not a form, or a malformed one', async () => {
    const type = 'multipart/form-data; boundary=b'
    expect(await post('/uploadv2', 'x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await post('/uploadv2', 'x', { 'content-type': 'multipart/form-data' })).toMatchObject({ status: 400 })
    expect(await post('/uploadv2', 'garbage', { 'content-type': type })).toMatchObject({ status: 400 })
    const cut = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nabc'
    // Whether the form or its file is heard of first depends on the moment.
    for (let time = 0; time < 20; time++)
      expect(await post('/uploadv2', cut, { 'content-type': type })).toMatchObject({ status: 400 })
    expect(await leftovers()).toEqual([])
  })

  it('when the node has no free space, without using any', async () => {
    const small = await env.start({ capacity: 1_000_000 })
    expect(await upload(env, small, randomBytes(1_100_000))).toMatchObject({ status: 503, code: -1 })
    // Together they exceed the capacity, each alone does not. Space is reserved as bytes arrive, so at equal speed all may be refused.
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(env, small, randomBytes(300_000))))
    const stored = answers.filter((answer) => answer.status === 200).length
    expect(stored).toBeLessThanOrEqual(3)
    expect(answers.filter((answer) => answer.status !== 200).every((answer) => answer.status === 503)).toBe(true)
    for (let i = stored; i < 3; i += 1)
      expect(await upload(env, small, randomBytes(300_000))).toMatchObject({ status: 200 })
  })

  it('in the caller’s language', async () => {
    const large = () => form(Buffer.alloc(2000))
    for (const ask of [
      (lang: string) => post('/uploadv2', 'x', { 'content-type': 'text/plain', lang }),
      (lang: string) => post('/uploadv2', large(), { lang }, { max: 1000 }),
      (lang: string) => post('/uploadv2', large(), { authorization: 'Bearer of.somebody.else', lang }),
      (lang: string) => post('/nothing-here', 'x', { lang }),
    ]) {
      const [en, cn] = await Promise.all([ask('en'), ask('cn')])
      expect(cn).toMatchObject({ status: en.status, err: en.err, code: -1 })
      expect(en.msg).not.toMatch(/\p{Script=Han}/u)
      expect(cn.msg).toMatch(/\p{Script=Han}/u)
    }
  })
})

describe('an interrupted upload', () => {
  it('frees its space at once', async () => {
    const before = await free()
    const token = await env.server.uploadToken(node.id, { max: 50_000_000, size: 50_000_000 })
    const boundary = 'b'
    const sending = request(`${node.url}/uploadv2`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    sending.on('error', () => {})
    sending.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`)
    await new Promise((resolve) => sending.write(randomBytes(5_000_000), resolve))
    await expect.poll(async () => (await leftovers()).length).toBe(1)
    await expect.poll(free).not.toBe(before)
    sending.destroy()
    await expect.poll(free).toBe(before)
    expect(await leftovers()).toEqual([])
  })
})
