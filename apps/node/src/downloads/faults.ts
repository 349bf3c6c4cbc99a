import { setTimeout as wait } from 'node:timers/promises'
import type { Outgoing } from './outgoing.ts'

const SLOW_PIECE = 64 * 1024
const SLOW_MS = 200

/** Deliberate faults in responses, for network tests. */
export const faults = {
  /** One byte of every piece is wrong. */
  'flip-bits': (out: Outgoing): Outgoing => ({
    write(bytes) {
      const wrong = Uint8Array.from(bytes)
      if (wrong.length > 0) wrong[wrong.length >> 1]! ^= 0xff
      return out.write(wrong)
    },
  }),
  /** Small pieces with a pause before each; less than a piece comes at once, so a client does not notice before it reads. */
  slow: (out: Outgoing): Outgoing => ({
    async write(bytes) {
      for (let at = 0; at < bytes.length; at += SLOW_PIECE) {
        if (bytes.length >= SLOW_PIECE) await wait(SLOW_MS)
        await out.write(bytes.subarray(at, at + SLOW_PIECE))
      }
    },
  }),
}
