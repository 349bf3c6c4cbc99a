import type { Attack } from '../harness.ts'

/** Stores everything and sends wrong bytes, of the same length. */
export default {
  name: 'flip bits',
  noticeable: 'soon',
  bend: () => ({
    changes(part, request) {
      if (!request.url?.startsWith('/ipfs/') || part.length === 0) return part
      const changed = Buffer.from(part)
      const middle = changed.length >> 1
      changed[middle] = (changed[middle] as number) ^ 1
      return changed
    },
  }),
} satisfies Attack
