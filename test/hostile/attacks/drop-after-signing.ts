import type { Attack } from '../harness.ts'

/** Stores what it is ordered to for a day, and then drops it but goes on reporting that it has it. */
export default {
  name: 'drop after signing',
  noticeable: 'soon',
  bend: (attacker) => ({
    serves(request, answer) {
      if (attacker.day < 1 || !request.url?.startsWith('/ipfs/')) return false
      answer.writeHead(404).end()
      return true
    },
  }),
} satisfies Attack
