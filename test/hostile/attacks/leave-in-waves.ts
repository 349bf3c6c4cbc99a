import type { Attack } from '../harness.ts'

/** All its nodes refuse connections every second half day, and go on sending heartbeats. */
export default {
  name: 'leave in waves',
  bend: () => ({}),
  async step({ day, real }) {
    real?.vanish(Math.floor(day * 2) % 2 === 1)
  },
} satisfies Attack
