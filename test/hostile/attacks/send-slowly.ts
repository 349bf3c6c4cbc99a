import type { Attack } from '../harness.ts'

const BYTES = 512
const EVERY_MS = 250

/** Answers at once and then sends two kilobytes a second. */
export default {
  name: 'send slowly',
  noticeable: 'late',
  slow: true,
  bend: ({ notes }) => ({
    serves(request, answer) {
      const range = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers.range ?? ''))
      if (!request.url?.startsWith('/ipfs/') || !range) return false
      const [start, end] = [Number(range[1]), Number(range[2])]
      // A probe of one byte is answered fast by the real node.
      if (end - start < BYTES) return false
      answer.writeHead(206, {
        'content-length': String(end - start + 1),
        'content-range': `bytes ${start}-${end}/${sizeOf(request.url, notes.get('sizes'))}`,
        'content-type': 'application/octet-stream',
      })
      const timer = setInterval(() => answer.write(Buffer.alloc(Math.min(BYTES, end - start + 1))), EVERY_MS)
      answer.on('close', () => clearInterval(timer))
      return true
    },
  }),
  async step({ notes }, { files }) {
    notes.set('sizes', new Map(files.map(({ cid, size }) => [cid, size])))
  },
} satisfies Attack

const sizeOf = (url: string, sizes: unknown) =>
  (sizes as Map<string, number> | undefined)?.get(/^\/ipfs\/(\w+)/.exec(url)?.[1] ?? '') ?? '*'
