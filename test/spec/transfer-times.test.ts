import { MAX_BLOCK_SIZE } from '@tidenet/content'
import { GiB, MiB, transferTimeout, UPLOAD_RATE_MIN, UPLOAD_TIMEOUT_MIN } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { SILENCE_MS, timeLimit } from '../../apps/node/src/tasks/source.ts'
import { WINDOW_MS } from '../../apps/node/src/uploads/pace.ts'
import { timesOf } from '../../apps/server/src/network/nodes/times.ts'
import { timeoutFor } from '../../packages/sdk/src/upload/tus.ts'

/** The specification gives a transfer 10 s per MB, and at least 30 s. Nobody may require a faster link. */

const SIZES = [0, 1, 64 * 1024, MiB, 3_000_000, 100 * MiB, GiB, 100 * GiB]
const RATE_OF_SPEC = 1_000_000 / 10

describe('a slow link has as long as the specification says', () => {
  it.each(SIZES)('for an upload of %i bytes by the SDK', (bytes) => {
    expect(timeoutFor(bytes, UPLOAD_TIMEOUT_MIN)).toBeGreaterThanOrEqual(transferTimeout(bytes))
  })

  it.each(SIZES)('for %i bytes that a node fetches from another', (bytes) => {
    expect(timeLimit(bytes)).toBeGreaterThanOrEqual(transferTimeout(bytes))
  })

  it('for an upload to a node, which may also pause', () => {
    expect(UPLOAD_RATE_MIN).toBeLessThanOrEqual(RATE_OF_SPEC)
    expect(WINDOW_MS).toBeGreaterThanOrEqual(30_000)
  })

  it('to answer a node at all', () => {
    expect(SILENCE_MS).toBeGreaterThanOrEqual(30_000)
  })

  it('for an audit, before the audit is late', () => {
    expect(timesOf({ pace: 'usual' }).auditTimeout).toBeGreaterThan(transferTimeout(2 * MAX_BLOCK_SIZE))
  })
})
