import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { type DownloadClaims, receivedText } from '@tidenet/contract'
import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from './app.ts'
import { endedKey } from './ended-shares.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from './test-env.fixture.ts'

let env: TestEnv
let node: StorageNode
let file: { bytes: Buffer; cid: string }
const clock = createClock()

beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start({ clock })
  file = await randomFile(1_000_000)
  await upload(env, node, file.bytes)
})
afterAll(() => env.stop())

/** A client of one download, with a key of its own. */
async function client(claims: Partial<DownloadClaims> = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const trace = randomUUID()
  const token = await env.server.downloadToken(node.id, file.cid, {
    tid: trace,
    rk: publicKey.export({ format: 'jwk' }).x as string,
    ...claims,
  })
  const signature = (bytes: number) =>
    sign(null, Buffer.from(receivedText(trace, node.id, file.cid, bytes)), privateKey).toString('base64url')
  return {
    trace,
    token,
    signature,
    get: () => fetch(`${node.url}/ipfs/${file.cid}?token=${token}`).then((answer) => answer.arrayBuffer()),
    received: (bytes: number, signed = signature(bytes)) => send({ token, bytes, signature: signed }),
  }
}
const send = (body: object | string) =>
  fetch(`${node.url}/received`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

interface Reported {
  trace_id: string
  bytes: number
  received?: number
  signature?: string
  sent?: number
}
const reported = (trace: string) =>
  env.server
    .of('served')
    .flatMap((body) => body.transfers as Reported[])
    .filter(({ trace_id }) => trace_id === trace)
const signedOf = (trace: string) => Math.max(0, ...reported(trace).map(({ received = 0 }) => received))
const sentOf = (trace: string) => Math.max(0, ...reported(trace).map(({ sent = 0 }) => sent))
/** Resolves after the next report, which carries everything from before. */
async function nextReport(): Promise<void> {
  const { trace, get } = await client()
  await get()
  await env.server.until(() => reported(trace).length > 0)
}

describe('what a client signs as received', () => {
  it('is reported to the server with its signature', async () => {
    const { trace, get, received, signature } = await client()
    await get()
    expect((await received(1_000_000)).status).toBe(204)
    await env.server.until(() => signedOf(trace) > 0)
    expect(reported(trace)).toContainEqual(
      expect.objectContaining({ trace_id: trace, received: 1_000_000, signature: signature(1_000_000) }),
    )
    expect(reported(trace).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(1_000_000)
  })

  it('is signed by the node too, with what it sent itself', async () => {
    const { trace, get, received } = await client()
    await get()
    await received(1_000_000)
    await env.server.until(() => sentOf(trace) > 0)
    expect(sentOf(trace)).toBe(1_000_000)
  })

  it('is signed by the node only up to what it sent, however much the client signs', async () => {
    const { trace, get, received } = await client()
    await get()
    await received(10 ** 12)
    await env.server.until(() => sentOf(trace) > 0)
    await get()
    await env.server.until(() => sentOf(trace) > 1_000_000)
    expect(sentOf(trace)).toBe(2_000_000)
  })

  it('needs no preflight request from a browser', async () => {
    const { trace, token, signature } = await client()
    const answer = await fetch(`${node.url}/received`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://portal.example' },
      body: JSON.stringify({ token, bytes: 7, signature: signature(7) }),
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    await env.server.until(() => signedOf(trace) === 7)
  })

  it('is the largest of many statements, whatever their order, and repeated ones are reported once', async () => {
    const { trace, received } = await client()
    for (const bytes of [100, 300, 200, 300, 250]) await received(bytes)
    await env.server.until(() => signedOf(trace) > 0)
    for (let each = 0; each < 20; each++) await received(300)
    await received(150)
    await nextReport()
    expect(reported(trace).map(({ received }) => received)).toEqual([300])
  })

  it('is accepted for an hour after the token expired, and after the share ended', async () => {
    const late = await client()
    const shared = await client({ share: 'folder', ended: 1 })
    await shared.get()
    env.server.ended = [{ id: 2, key: endedKey('u1', 'folder') }]
    await expect.poll(() => fetch(`${node.url}/ipfs/${file.cid}?token=${shared.token}`).then((a) => a.status)).toBe(401)
    expect((await shared.received(10)).status).toBe(204)
    clock.move(1.5 * 3600_000)
    expect((await fetch(`${node.url}/ipfs/${file.cid}?token=${late.token}`)).status).toBe(401)
    expect((await late.received(10)).status).toBe(204)
    clock.move(2.5 * 3600_000)
    expect((await late.received(20)).status).toBe(401)
    clock.move(0)
  })
})

describe('statements that prove nothing', () => {
  it('are not reported', async () => {
    const { trace, received, signature } = await client()
    expect((await received(1000, signature(999))).status).toBe(204)
    await nextReport()
    expect(reported(trace)).toEqual([])
  })

  it('are refused with a token without a key, for another node, for uploads, or not of the server', async () => {
    const signature = 'A'.repeat(86)
    const plain = await env.server.downloadToken(node.id, file.cid)
    expect((await send({ token: plain, bytes: 1, signature })).status).toBe(403)
    expect(
      (await send({ token: await env.server.downloadToken('e_other', file.cid), bytes: 1, signature })).status,
    ).toBe(403)
    expect((await send({ token: await env.server.uploadToken(node.id), bytes: 1, signature })).status).toBe(403)
    expect((await send({ token: 'x.y.z', bytes: 1, signature })).status).toBe(401)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'received'],
    ['bytes below one', JSON.stringify({ token: 'x', bytes: 0, signature: 'A'.repeat(86) })],
    ['bytes that are no integer', JSON.stringify({ token: 'x', bytes: 1.5, signature: 'A'.repeat(86) })],
    ['bytes above all integers', `{"token":"x","bytes":1e30,"signature":"${'A'.repeat(86)}"}`],
    ['a signature of another length', JSON.stringify({ token: 'x', bytes: 1, signature: 'A' })],
  ])('are refused as invalid: %s', async (_, body) => {
    expect((await send(body)).status).toBe(400)
  })

  it('are refused without being read if they are large', async () => {
    const body = JSON.stringify({ token: 'x'.repeat(10_000_000) })
    expect((await send(body)).status).toBe(413)
    const stream = new Blob([body]).stream()
    const options = { method: 'POST', body: stream, duplex: 'half' }
    expect((await fetch(`${node.url}/received`, options as RequestInit)).status).toBe(413)
  })
})
