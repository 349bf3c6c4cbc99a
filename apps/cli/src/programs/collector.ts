import { Writable } from 'node:stream'

/** Keeps what is written, for `--json`. */
export function collector(): Writable & { text(): string } {
  const parts: Buffer[] = []
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      parts.push(chunk)
      done()
    },
  })
  return Object.assign(target, { text: () => Buffer.concat(parts).toString() })
}
