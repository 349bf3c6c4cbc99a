import { describe, expect, it } from 'vitest'
import { createFairShare } from './fair-share.ts'

const PIECE = 64 * 1024

/** Everything waits for the first piece; then `pieces` may be sent at once. */
function limited(pieces: number) {
  let left = 1
  const share = createFairShare({
    isOpen: true,
    spend: () => {
      left -= 1
      if (left > 0) return 0
      left = pieces
      return pieces > 0 ? 1 : 1e9
    },
  })
  return share
}

/** Labels in the order in which their bytes were sent. */
async function order(asked: readonly (readonly [label: string, bytes: number])[]): Promise<string[]> {
  const share = limited(1)
  const sent: string[] = []
  await new Promise<void>((resolve) => {
    for (const [label, bytes] of asked)
      share.take(label, bytes, () => {
        sent.push(label)
        if (sent.length === asked.length) resolve()
      })
  })
  share.stop()
  return sent
}

describe('the bandwidth of a relay', () => {
  it('is the same for each device, however many visitors it has', async () => {
    const many = Array.from({ length: 20 }, () => ['popular', PIECE] as const)
    const sent = await order([...many, ['quiet', PIECE], ['quiet', PIECE]])
    // The popular one was there first; then both take turns.
    expect(sent.slice(0, 6).filter((label) => label === 'quiet')).toHaveLength(2)
  })

  it('is counted in bytes, not in messages', async () => {
    const small = Array.from({ length: 64 }, () => ['small', PIECE / 16] as const)
    const large = Array.from({ length: 4 }, () => ['large', PIECE] as const)
    const sent = await order([['first', PIECE], ...large, ...small])
    const half = sent.slice(0, sent.indexOf('large', sent.indexOf('large') + 1) + 1)
    const smallOnes = half.filter((label) => label === 'small').length
    expect(smallOnes).toBeGreaterThan(8)
    expect(smallOnes).toBeLessThan(40)
  })

  it('goes to whoever uses it', async () => {
    const alone = Array.from({ length: 10 }, () => ['alone', PIECE] as const)
    expect(await order(alone)).toHaveLength(10)
  })
})
