import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '@tidenet/content/random'
import { type ReceiptKind, verifyReceipt } from '@tidenet/receipts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSampleNetwork, SAMPLES, sampleDownload } from '../../packages/receipts/src/network.fixture.ts'
import { DAMAGES, type Source } from './damage.ts'

/** Checks files with the second implementation, which was written from docs/RECEIPTS.md, and compares the answers. */

const COUNT = 1000
const KINDS = Object.keys(SAMPLES) as ReceiptKind[]
const random = seededRandom(25)
const pick = (below: number) => Math.floor(random() * below)

interface Case {
  name: string
  content: Buffer
  keys: string[]
}
interface Answer {
  result: string
  checks: { name: string; state: string; reason?: string }[]
}

const network = createSampleNetwork()
const foreign = createSampleNetwork('foreign')
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
    const keys = [[], [foreign.key.publicKey], [network.key.publicKey], [network.key.publicKey]][pick(4)]!
    return { name, content: Buffer.from(content), keys }
  })
  ours = await Promise.all(cases.map(({ content, keys }) => verifyReceipt(content, { keys })))
  theirs = verifyInPython(cases)
})

function verifyInPython(list: readonly Case[]): Answer[] {
  const input = list.map(({ content, keys }) => JSON.stringify({ file: content.toString('base64'), keys })).join('\n')
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
      const { result, checks } = ours[at]!
      expect(theirs[at], `${name}: ${content.subarray(0, 5000)}`).toEqual({ result, checks })
    }
  })

  it('accept what is undamaged, unless the network is another or unknown', () => {
    for (const [at, { name, keys }] of cases.entries()) {
      if (name !== 'undamaged') continue
      const wanted = keys.length === 0 ? 'unknown_network' : keys[0] === network.key.publicKey ? 'valid' : 'invalid'
      expect(theirs[at]?.result).toBe(wanted)
    }
  })

  it('together refuse for every reason there is', () => {
    const reasons = new Set(
      ours.flatMap(({ checks }) => checks.map(({ name, state, reason }) => `${name} ${reason ?? state}`)),
    )
    for (const reason of [
      ...['size', 'text', 'json', 'duplicate_key', 'number', 'version', 'format'].map((each) => `file ${each}`),
      ...['network foreign', 'network no_key', 'network passed'],
      ...['jws', 'header', 'signature', 'passed'].map((each) => `signature ${each}`),
      ...['claims claims', 'claims no_receipt', 'index index', 'index no_claims'],
      ...['reader signature', 'node node_id', 'node signature'],
      ...['note', 'origin', 'unsigned', 'signature'].map((each) => `checkpoint ${each}`),
      ...['size', 'proof', 'root', 'no_checkpoint'].map((each) => `inclusion ${each}`),
      ...['transaction', 'hash', 'memo', 'signature', 'no_anchor', 'no_checkpoint', 'passed'].map(
        (each) => `anchor ${each}`,
      ),
    ])
      expect([...reasons]).toContain(reason)
  })

  it('agree about files that are far too large', async () => {
    const file = JSON.stringify(network.file(0))
    const large = [' '.repeat(10_000_000), file.replace('"hashes":[', `"hashes":[${'"",'.repeat(1_000_000)}`)]
    const list = large.map((content) => ({ name: '', content: Buffer.from(content), keys: [] }))
    for (const [at, answer] of verifyInPython(list).entries())
      expect(await verifyReceipt(list[at]!.content)).toMatchObject(answer)
  })
})
