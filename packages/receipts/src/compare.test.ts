import { describe, expect, it } from 'vitest'
import { compareReceipts, isContradiction } from './compare.ts'
import { createSampleNetwork, SAMPLES, type SampleNetwork, sampleDownload } from './network.fixture.ts'
import { verifyReceipt } from './verify.ts'

const verified = (network: SampleNetwork, index: number, size?: number) =>
  verifyReceipt(JSON.stringify(network.file(index, size === undefined ? {} : { size })), {
    keys: network.identity.keys,
  })
const relations = async (...files: ReturnType<typeof verified>[]) => compareReceipts(await Promise.all(files))

/** Networks with one key and one log that say different things. */
function twoVersions() {
  const [one, other] = [createSampleNetwork(), createSampleNetwork()]
  one.issue(SAMPLES.upload)
  other.issue({ ...SAMPLES.upload, size: 1 })
  return { one, other }
}

describe('several receipts', () => {
  it('of one log say nothing against each other, in trees of any sizes', async () => {
    const network = createSampleNetwork()
    for (const kind of Object.values(SAMPLES)) network.issue(kind)
    expect(await relations(verified(network, 0), verified(network, 1), verified(network, 0 + 2, 4))).toEqual([])
  })

  it('of different networks can have the same numbers', async () => {
    const [one, other] = [createSampleNetwork(), createSampleNetwork('other')]
    one.issue(SAMPLES.upload)
    other.issue(SAMPLES.order)
    expect(await relations(verified(one, 0), verified(other, 0))).toEqual([])
  })

  it('of one transfer replace each other, in any order', async () => {
    const network = createSampleNetwork()
    for (const bytes of [1, 2, 3]) network.issue(sampleDownload(bytes))
    const found = await relations(verified(network, 1), verified(network, 2), verified(network, 0))
    expect(found).toEqual([
      { kind: 'replaced', files: [0, 1] },
      { kind: 'replaced', files: [2, 1] },
    ])
    expect(found.some(isContradiction)).toBe(false)
  })

  it('contradict each other if one id, one leaf or one size has two versions', async () => {
    const { one, other } = twoVersions()
    const found = await relations(verified(one, 0), verified(other, 0))
    expect(found.map(({ kind }) => kind).sort()).toEqual(['forked_log', 'same_id', 'same_index'])
    expect(found.every(isContradiction)).toBe(true)
    const twice = createSampleNetwork()
    twice.issue(SAMPLES.upload)
    twice.issue(SAMPLES.upload, { id: 1000 })
    expect(await relations(verified(twice, 0), verified(twice, 1))).toEqual([{ kind: 'same_id', files: [0, 1] }])
  })

  it('that are the same one do not count twice', async () => {
    const { one } = twoVersions()
    one.issue(SAMPLES.order)
    const found = await relations(verified(one, 0), verified(one, 0, 1))
    expect(found).toEqual([{ kind: 'repeated', files: [0, 1] }])
    expect(found.every(isContradiction)).toBe(true)
  })

  it('that are invalid prove nothing against others', async () => {
    const { one, other } = twoVersions()
    const forged = verifyReceipt(JSON.stringify({ ...other.file(0), checkpoint: '' }), { keys: one.identity.keys })
    expect(await relations(verified(one, 0), forged)).toEqual([])
  })
})
