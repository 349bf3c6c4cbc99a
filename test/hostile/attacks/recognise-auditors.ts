import type { Attack } from '../harness.ts'

/** Answers requests that look like audits, which ask for single blocks, and refuses those that look like downloads. */
export default {
  name: 'recognise auditors',
  noticeable: 'soon',
  bend: () => ({
    serves(request, answer) {
      if (!request.url?.startsWith('/ipfs/') || request.url.includes('format=raw')) return false
      answer.writeHead(404).end()
      return true
    },
  }),
} satisfies Attack
