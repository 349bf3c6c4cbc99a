import { describe, expect, it } from 'vitest'
import { createSampleNetwork, SAMPLES } from './network.fixture.ts'
import { verifyReceipt } from './verify.ts'

const network = createSampleNetwork()
for (const claims of Object.values(SAMPLES)) network.issue(claims)

/** Another character of the same kind, so that most files can still be read. */
function other(char: string): string {
  if (/[0-8]/.test(char)) return String(Number(char) + 1)
  if (char === '9') return '8'
  return char === 'A' ? 'B' : 'A'
}

describe('a file with another character', () => {
  it.each(Object.keys(SAMPLES))('at any place is not valid: %s', async (kind) => {
    const index = Object.keys(SAMPLES).indexOf(kind)
    const file = network.file(index, { anchor: await network.anchor(network.checkpoint()) })
    const text = JSON.stringify(file)
    const height = text.indexOf('"height":') + '"height":'.length
    // All places of one kind; of the others, the parts differ in the claims only.
    const step = kind === 'download' ? 1 : 23
    const accepted: number[] = []
    for (let at = 0; at < text.length; at += step) {
      const changed = text.slice(0, at) + other(text[at]!) + text.slice(at + 1)
      if ((await verifyReceipt(changed, network.identity)).result !== 'invalid') accepted.push(at)
    }
    // Nobody signs the number of the block: the chain that the user names compares it.
    for (const at of accepted) expect(at >= height && at < height + String(file.anchor?.height).length).toBe(true)
  })

  it('in the number of the block is refused by the chain', async () => {
    const anchor = await network.anchor(network.checkpoint())
    const file = network.file(0, { anchor: { ...anchor, height: anchor.height + 1 } })
    const chain = {
      status: async () => ({ chain: anchor.chain, earliest: 1 }),
      find: async () => ({ height: anchor.height }),
    }
    expect((await verifyReceipt(JSON.stringify(file), { ...network.identity, chain })).result).toBe('invalid')
  })
})
