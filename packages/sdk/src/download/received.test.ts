import { createPublicKey, verify } from 'node:crypto'
import { RECEIVED_STEP } from '@tidenet/contract/constants'
import { receivedText } from '@tidenet/contract/node/received'
import { afterEach, describe, expect, it } from 'vitest'
import { platform } from '../platform/platform.node.ts'
import { receiptKey as browserKey } from '../platform/receipt-key.browser.ts'
import { isSuccess } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv, type TestNode } from '../test-env.fixture.ts'

let env: TestEnv
afterEach(() => env?.close())

/** A file that all nodes hold. */
async function setup({ nodes = 1, size = 3_000_000 } = {}) {
  env = await startTestEnv({ nodes })
  const result = await env.storage().uploadAsset(someBytes(size), { name: 'a.bin' })
  if (!isSuccess(result)) throw new Error(result.msg)
  return shareAmongNodes(result.data.cid)
}
function shareAmongNodes(cid: string) {
  const [first, ...others] = env.nodes as [TestNode, ...TestNode[]]
  for (const node of others) node.contents.set(cid, first.contents.get(cid)!)
  env.calls.length = 0
  return { cid, first, others, storage: env.storage() }
}
async function uploadFolder() {
  env = await startTestEnv()
  const files = [10, 300_000, 700_000].map((size) => ({ path: `top/${size}`, file: someBytes(size, size) }))
  const result = await env.storage().uploadAsset(files)
  if (!isSuccess(result)) throw new Error(result.msg)
  return shareAmongNodes(result.data.cid)
}
const asked = () => env.called('share_asset')[0] as { receipt_key?: string } | undefined
/** The bytes that a node got valid signatures for, in order. */
function signedBytes(node: TestNode, cid: string, trace: string): number[] {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: asked()?.receipt_key ?? '' }, format: 'jwk' })
  return node.received.map(({ token, bytes, signature }) => {
    const text = Buffer.from(receivedText(trace, node.id, cid, bytes))
    expect(token).toBe(`down-${node.id}`)
    expect(verify(null, text, key, Buffer.from(signature, 'base64url'))).toBe(true)
    return bytes
  })
}
const traceOf = (result: unknown) => (result as { data: { traceId: string } }).data.traceId

describe('a download signs', () => {
  it('what each node sent, with a new key that the portal learns', async () => {
    const { storage, cid } = await setup({ nodes: 3, size: 9_000_000 })
    const result = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    if (!isSuccess(result)) throw new Error(result.msg)
    for (const node of env.nodes) {
      const bytes = result.data.nodes.find(({ node_id }) => node_id === node.id)?.bytes
      expect(signedBytes(node, cid, traceOf(result)).at(-1)).toBe(bytes)
    }
    const [first] = env.called('share_asset')
    await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    expect(env.called('share_asset')[1]?.receipt_key).not.toBe(first?.receipt_key)
  })

  it('cumulatively while bytes arrive, and the rest at the end', async () => {
    const size = 2.5 * RECEIVED_STEP
    const { storage, cid, first } = await setup({ size })
    const result = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    const signed = signedBytes(first, cid, traceOf(result))
    expect(signed.length).toBeGreaterThan(1)
    expect(signed.length).toBeLessThanOrEqual(3)
    expect(signed).toEqual(signed.toSorted((a, b) => a - b))
    expect(signed[0]).toBeGreaterThanOrEqual(RECEIVED_STEP)
    expect(signed.at(-1)).toBe(size)
  })

  it('what arrived before it was cancelled', async () => {
    const { storage, cid, first } = await setup({ size: 20_000_000 })
    // So slow that the client cancels before its first statement is due, on a fast machine too.
    first.knobs.slow = 40
    const task = storage.downloadAsset({ assetCid: cid, to: 'blob' }, ({ loaded }) => {
      if (loaded > 2_000_000) void task.cancel()
    })
    expect((await task).code).toBe(10028)
    await expect.poll(() => first.received.length).toBeGreaterThan(0)
    for (const { bytes } of first.received) expect(bytes).toBeLessThan(20_000_000)
  })

  it('in a request that browsers send without asking first', async () => {
    const { storage, cid, first } = await setup()
    await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    expect(first.received.map(({ contentType }) => contentType)).toEqual(['text/plain'])
  })

  it('a folder once it is verified, as a tar or block by block', async () => {
    const { storage, cid, first } = await uploadFolder()
    const result = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    if (!isSuccess(result)) throw new Error(result.msg)
    expect(signedBytes(first, cid, traceOf(result))).toEqual([result.data.size])
    first.received.length = 0
    env.calls.length = 0
    const stream = new WritableStream<Uint8Array>()
    const streamed = await storage.downloadAsset({ assetCid: cid, to: { stream } })
    const [bytes] = signedBytes(first, cid, traceOf(streamed))
    expect(bytes).toBeGreaterThan(1_000_010)
    expect(bytes).toBeLessThan(1_100_000)
  })
})

describe('a download does not sign', () => {
  it('wrong bytes', async () => {
    const { storage, cid, first, others } = await setup({ nodes: 2, size: 5_000_000 })
    first.knobs.spoils = true
    const result = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    if (!isSuccess(result)) throw new Error(result.msg)
    const own = result.data.nodes.find(({ node_id }) => node_id === first.id)?.bytes ?? 0
    expect(Math.max(0, ...first.received.map(({ bytes }) => bytes))).toBe(own)
    expect(own).toBeLessThan(2_500_000)
    expect(others[0]?.received.at(-1)?.bytes).toBe(5_000_000 - own)
  })

  it('a folder that does not match its CID', async () => {
    const { storage, cid, first } = await uploadFolder()
    first.knobs.spoils = true
    await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    expect(Math.max(0, ...first.received.map(({ bytes }) => bytes))).toBeLessThan(1_000_000)
  })

  it('previews, and without a key', async () => {
    const { storage, cid, first } = await setup()
    expect((await storage.downloadAsset({ assetCid: cid, to: 'blob', preview: true })).code).toBe(0)
    const plain = env.storage({}, { platform: { ...platform, receiptKey: async () => undefined } })
    expect((await plain.downloadAsset({ assetCid: cid, to: 'blob' })).code).toBe(0)
    expect(env.called('share_asset').map(({ receipt_key }) => receipt_key)).toEqual([undefined, undefined])
    expect(first.received).toEqual([])
  })
})

describe('a node that takes no signatures', () => {
  it.each([404, 401, 500, 0])('is downloaded from as before (%i)', async (status) => {
    const { storage, cid, first } = await setup({ size: 2.5 * RECEIVED_STEP })
    first.knobs.refuseReceived = status
    expect((await storage.downloadAsset({ assetCid: cid, to: 'blob' })).code).toBe(0)
    // It is not asked again.
    if (status !== 0) expect(first.received).toHaveLength(1)
  })
})

describe('the key of a browser', () => {
  const text = receivedText('trace', 'node', 'cid', 1)
  const isValid = (publicKey: string, signature: string) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    )

  it.each([
    ['with Web Crypto', crypto.subtle],
    ['without it', null],
  ])('signs %s', async (_, subtle) => {
    const key = await browserKey(subtle)
    const signature = (await key?.sign(text)) ?? ''
    expect(key?.publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/)
    expect(isValid(key?.publicKey ?? '', signature)).toBe(true)
  })
})
