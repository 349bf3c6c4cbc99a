import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '@tidenet/content/random'
import { type NetworkIdentity, NO_IDENTITY, type ReceiptKind, verifyReceipt } from '@tidenet/receipts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSampleNetwork, DAY, SAMPLES, sampleDownload } from '../../packages/receipts/src/network.fixture.ts'
import { DAMAGES, type Source } from './damage.ts'

/** Checks files with the second implementation, which was written from docs/RECEIPTS.md, and compares the answers. */

const COUNT = 1000
const KINDS = Object.keys(SAMPLES) as ReceiptKind[]
const random = seededRandom(25)
const pick = (below: number) => Math.floor(random() * below)

interface Case {
  name: string
  content: Buffer
  identity: NetworkIdentity
}
interface Answer {
  result: string
  proven: string[]
  checks: { name: string; state: string; reason?: string }[]
}

const network = createSampleNetwork()
const foreign = createSampleNetwork('foreign')
const [own, others] = [network.identity, foreign.identity]
const KEYS: NetworkIdentity['keys'][] = [
  [],
  others.keys,
  own.keys,
  [...others.keys, ...own.keys],
  own.keys.map(({ key }) => ({ key, from: DAY, until: DAY + 90_020 })),
]
const ANCHORS: NetworkIdentity['anchors'][] = [
  [],
  others.anchors,
  own.anchors,
  own.anchors,
  [...others.anchors, ...own.anchors],
  own.anchors.map(({ address }) => ({ chain: 'another-chain', address })),
]
let cases: Case[]
let ours: Answer[]
let theirs: Answer[]

beforeAll(async () => {
  for (let at = 0; at < 40; at++) network.issue(at % 3 === 0 ? sampleDownload(at + 1) : SAMPLES[KINDS[pick(7)]!])
  foreign.issue(SAMPLES.order)
  const anchors = await Promise.all(Array.from({ length: 41 }, (_, size) => network.anchor(network.checkpoint(size))))
  const sample = () => {
    const index = pick(40)
    const size = index + 1 + pick(40 - index)
    return network.file(index, { size, anchor: pick(4) > 0 ? anchors[size]! : null })
  }
  const damages = Object.entries(DAMAGES)
  cases = Array.from({ length: COUNT }, (_, at) => {
    const source: Source = { network, foreign, file: sample(), other: sample(), pick }
    // Every fourth file is undamaged; the damages take turns.
    const [name, damage] = at % 4 === 0 ? ['undamaged', undefined] : damages[(at - Math.ceil(at / 4)) % damages.length]!
    const content = damage ? damage(source) : JSON.stringify(source.file)
    return { name, content: Buffer.from(content), identity: { keys: KEYS[pick(5)]!, anchors: ANCHORS[pick(6)]! } }
  })
  ours = await Promise.all(cases.map(({ content, identity }) => verifyReceipt(content, identity)))
  theirs = verifyInPython(cases)
})

function verifyInPython(list: readonly Case[]): Answer[] {
  const input = list
    .map(({ content, identity }) => JSON.stringify({ file: content.toString('base64'), ...identity }))
    .join('\n')
  const program = fileURLToPath(new URL('verify.py', import.meta.url))
  const { stdout, stderr, error } = spawnSync('python3', ['-B', program], { input, encoding: 'utf8', maxBuffer: 1e9 })
  if (error)
    throw new Error('This test needs Python 3.11 or later (Debian: apt-get install python3).', { cause: error })
  expect(stderr).toBe('')
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
}

describe('two implementations of the check', () => {
  it('agree about every receipt: on the result, on each check and on its reason', () => {
    expect(theirs).toHaveLength(COUNT)
    for (const [at, { name, content }] of cases.entries()) {
      const { result, checks, proven } = ours[at]!
      expect(theirs[at], `${name}: ${content.subarray(0, 5000)}`).toEqual({ result, checks, proven })
    }
  })

  it('accept what is undamaged, unless the network is another or unknown, or others signed the anchor', () => {
    for (const [at, { name, identity }] of cases.entries()) {
      if (name !== 'undamaged') continue
      const { result, checks, proven } = theirs[at]!
      const failed = checks.flatMap(({ state, reason }) => (state === 'failed' ? [reason] : []))
      for (const reason of failed) expect(['foreign', 'validity', 'chain', 'operator']).toContain(reason)
      if (failed.length === 0) expect(result).toBe(identity.keys.length === 0 ? 'unknown_network' : 'valid')
      if (proven.includes('anchored')) expect(identity.anchors).toEqual(expect.arrayContaining([...own.anchors]))
    }
  })

  it('together refuse for every reason there is', () => {
    const reasons = new Set(
      ours.flatMap(({ checks }) => checks.map(({ name, state, reason }) => `${name} ${reason ?? state}`)),
    )
    for (const reason of [
      ...['size', 'text', 'json', 'duplicate_key', 'number', 'version', 'format'].map((each) => `file ${each}`),
      ...['network foreign', 'network validity', 'network no_key', 'network passed'],
      ...['jws', 'header', 'signature', 'passed'].map((each) => `signature ${each}`),
      ...['claims claims', 'claims no_receipt', 'index index', 'index no_claims'],
      ...['reader signature', 'node node_id', 'node signature'],
      ...['note', 'origin', 'unsigned', 'signature'].map((each) => `checkpoint ${each}`),
      ...['size', 'proof', 'root', 'no_checkpoint'].map((each) => `inclusion ${each}`),
      ...['transaction', 'hash', 'memo', 'signature', 'chain', 'operator', 'no_operator'].map(
        (each) => `anchor ${each}`,
      ),
      ...['no_anchor', 'no_checkpoint', 'passed'].map((each) => `anchor ${each}`),
    ])
      expect([...reasons]).toContain(reason)
  })

  it('agree about files that are far too large', async () => {
    const file = JSON.stringify(network.file(0))
    const large = [' '.repeat(10_000_000), file.replace('"hashes":[', `"hashes":[${'"",'.repeat(1_000_000)}`)]
    const list = large.map((content) => ({ name: '', content: Buffer.from(content), identity: NO_IDENTITY }))
    for (const [at, answer] of verifyInPython(list).entries())
      expect(await verifyReceipt(list[at]!.content)).toMatchObject(answer)
  })
})
