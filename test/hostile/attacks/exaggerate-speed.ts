import type { Attack } from '../harness.ts'

/** Reports the speed and space of a data centre, and is a node like any other. */
export default {
  name: 'exaggerate speed',
  bend: () => ({
    sends(call, input) {
      if (call === 'heartbeat')
        Object.assign(input.stats, { capacity: 1e15, free: 1e15, load: 0, send_rate: 1e12, receive_rate: 1e12 })
    },
  }),
} satisfies Attack
