import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEndedShares } from '../ended-shares.ts'
import { NO_LIMITS } from '../limits/limits.ts'
import type { ServerLink } from '../server-link.ts'
import { createArriving } from '../uploads/arriving.ts'
import { startHeartbeat } from './heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a node that is full for a long time does not accumulate listeners', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  let listening = 0
  let most = 0
  const heartbeat = startHeartbeat({
    limiter: { limits: NO_LIMITS, untilBack: async () => {} },
    onLeaving: async () => {},
    link: { call: async () => ({ work: [], ended: [] }) } as unknown as ServerLink,
    workers: {
      capacity: () => 0,
      pulling: () => [],
      take: () => {},
      untilCapacity: (signal) =>
        new Promise((resolve) => {
          listening += 1
          most = Math.max(most, listening)
          signal.addEventListener('abort', () => {
            listening -= 1
            resolve()
          })
        }),
    },
    ended: createEndedShares(),
    blocked: {
      last: 0,
      complete: true,
      take: async () => {},
      version: 0,
      size: 0,
      has: () => false,
      watch: () => () => {},
    },
    arriving: createArriving(),
    stats: async () => ({}) as never,
    clock: createClock(),
    log: createLogger('test', 'silent'),
  })
  await vi.advanceTimersByTimeAsync(40 * 10_500)
  expect(most).toBe(1)
  const stopped = heartbeat.stop()
  await vi.advanceTimersByTimeAsync(1000)
  await stopped
  expect(listening).toBe(0)
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([])
  process.off('warning', note)
})
