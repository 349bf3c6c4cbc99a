import type { Attack } from '../harness.ts'

/** Answers all nodes, which it knows by their addresses, so it passes audits; it refuses clients. */
export default {
  name: 'serve nodes only',
  bend: ({ notes }) => ({
    serves(request, answer) {
      const known = notes.get('nodes') as ReadonlySet<string> | undefined
      if (!request.url?.startsWith('/ipfs/') || known?.has(request.socket.remoteAddress ?? '')) return false
      answer.writeHead(404).end()
      return true
    },
  }),
  async step({ notes }, { honest }) {
    notes.set('nodes', new Set(honest.map(({ address }) => address)))
  },
} satisfies Attack
