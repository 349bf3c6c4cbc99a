import { readFileSync } from 'node:fs'
import { noteKeyId, receiptKeyId, verifyReceipt } from '@tidenet/receipts'
import { describe, expect, it } from 'vitest'
import { hashLeaf } from '../../packages/receipts/src/merkle.ts'
import { createSampleNetwork, rootOf, SAMPLES, sampleKey } from '../../packages/receipts/src/network.fixture.ts'

const text = readFileSync(new URL('../../docs/RECEIPTS.md', import.meta.url), 'utf8')
const vectors = text.slice(text.indexOf('## Test vectors'))
const file = /```json\n([^`]+)```/.exec(vectors)?.[1] ?? ''
const network = createSampleNetwork('network')
for (const claims of Object.values(SAMPLES)) network.issue(claims)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the test vectors in docs/RECEIPTS.md', () => {
  it('are those of the network that the page describes', () => {
    const key = sampleKey('network')
    const leaves = Object.keys(SAMPLES).map((_, at) => hashLeaf(Buffer.from(network.file(at).receipt)))
    for (const value of [
      key.publicKey,
      network.identity.anchors[0]!.address,
      receiptKeyId(key.publicKey),
      network.file(0).receipt.split('.')[0]!,
      hex(noteKeyId(network.origin, key.raw)),
      ...leaves.slice(0, 2).map(hex),
      hex(rootOf(leaves)),
    ])
      expect(vectors).toContain(value)
  })

  it('have a file that is valid in every respect', async () => {
    const { result, checks, claims } = await verifyReceipt(file, network.identity)
    expect(result).toBe('valid')
    expect(claims).toMatchObject(SAMPLES.download)
    expect(checks.filter(({ state }) => state === 'not_asked').map(({ name }) => name)).toEqual(['block'])
  })

  it('show what is refused if one byte is changed', async () => {
    const { result } = await verifyReceipt(file.replace('"account": 7', '"account": 8'), network.identity)
    expect(result).toBe('invalid')
  })
})
