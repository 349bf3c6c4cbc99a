import type { Attack, Attacker } from '../harness.ts'

/** Answers validators, which it knows by their addresses, and refuses everybody else. */
export default {
  name: 'recognise auditors',
  noticeable: 'soon',
  bend: ({ notes }: Pick<Attacker, 'notes'>) => ({
    serves(request, answer) {
      const known = notes.get('validators') as ReadonlySet<string> | undefined
      if (!request.url?.startsWith('/ipfs/') || known?.has(request.socket.remoteAddress ?? '')) return false
      answer.writeHead(404).end()
      return true
    },
  }),
  async step({ notes }, { honest }) {
    const validators = honest.filter(({ kind }) => kind === 'validator')
    notes.set('validators', new Set(validators.map(({ address }) => address)))
  },
} satisfies Attack
