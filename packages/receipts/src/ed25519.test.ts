import { describe, expect, it, vi } from 'vitest'
import { verifyEd25519 as verifyInBrowser } from './ed25519.browser.ts'
import { verifyEd25519 as verifyInNode } from './ed25519.node.ts'
import { isSigned } from './ed25519.ts'
import { sampleKey } from './network.fixture.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const message = new TextEncoder().encode('what is signed')
const key = sampleKey('key')
const signature = new Uint8Array(Buffer.from(key.sign('what is signed'), 'base64url'))
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

/** The same point as another scalar: s + L. */
function withLargeScalar(): Uint8Array {
  const s = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`) + ORDER
  return new Uint8Array([...signature.slice(0, 32), ...hex(s.toString(16).padStart(64, '0')).reverse()])
}

const implementations = [
  { name: 'node:crypto', verify: verifyInNode },
  { name: 'Web Crypto', verify: verifyInBrowser },
  { name: 'JavaScript', verify: (...args: Parameters<typeof verifyInNode>) => verifyInBrowser(...args, null) },
]

describe.each(implementations)('Ed25519 with $name', ({ verify }) => {
  it('accepts a signature', async () => {
    expect(await verify(key.raw, message, signature)).toBe(true)
    // RFC 8032, 7.1, test 1.
    const known = [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ].map(hex)
    expect(await verify(known[0]!, new Uint8Array(), known[1]!)).toBe(true)
  })

  it('refuses another message, key or signature, and a second form of the same signature', async () => {
    expect(await verify(key.raw, message.slice(1), signature)).toBe(false)
    expect(await verify(sampleKey('other').raw, message, signature)).toBe(false)
    for (const at of [0, 31, 32, 63]) {
      const changed = signature.map((byte, each) => (each === at ? byte ^ 1 : byte))
      expect(await verify(key.raw, message, changed).catch(() => false)).toBe(false)
    }
    expect(await verify(key.raw, message, withLargeScalar())).toBe(false)
  })
})

describe('a key', () => {
  it.each([
    ['of small order', '01'.padEnd(64, '0')],
    ['of small order', `${'00'.repeat(31)}80`],
    ['of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'],
    ['of order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'],
    ['with a second form', `ee${'ff'.repeat(30)}7f`],
    ['that is no point', `02${'00'.repeat(31)}`],
    ['that is too short', '01'],
  ])('%s signs nothing', async (_, text) => {
    // With a key of small order, R = A and s = 0 is a signature of one message in eight, or of every one.
    const forged = new Uint8Array([...hex(text).slice(0, 32), ...new Uint8Array(32)])
    for (let at = 0; at < 16; at++) expect(await isSigned(hex(text), Uint8Array.of(at), forged)).toBe(false)
    const identity = new Uint8Array(64)
    identity[0] = 1
    for (let at = 0; at < 16; at++) expect(await isSigned(hex(text), Uint8Array.of(at), identity)).toBe(false)
  })

  it('is verified in JavaScript if Web Crypto has no Ed25519', async () => {
    const importKey = vi.fn().mockRejectedValue(new Error('not supported'))
    expect(await verifyInBrowser(key.raw, message, signature, { importKey } as unknown as SubtleCrypto)).toBe(true)
    expect(await verifyInBrowser(key.raw, message.slice(1), signature, null)).toBe(false)
  })
})
