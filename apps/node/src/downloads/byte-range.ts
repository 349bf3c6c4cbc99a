/** Bytes `start` up to but without `end`. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * What a Range header asks of `size` bytes (RFC 9110, 14.2).
 * `undefined`: serve everything, because there is none, it is not understood, or it asks for several ranges;
 * `unsatisfiable`: 416.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '') {
    if (to === '') return undefined
    const last = Number(to)
    if (last === 0 || size === 0) return 'unsatisfiable'
    return { start: Math.max(0, size - last), end: size }
  }
  const start = Number(from)
  const end = to === '' ? size : Math.min(size, Number(to) + 1)
  if (to !== '' && Number(to) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end }
}

/**
 * What the gateway parameter `entity-bytes=from:to` asks of `size` bytes: both ends included, negative ones counted from the
 * end, `*` is the end. `undefined` when it is malformed; a range that lies outside is empty.
 */
export function readEntityBytes(text: string, size: number): ByteRange | undefined {
  const match = /^(-?\d+):(-?\d+|\*)$/.exec(text)
  if (!match) return undefined
  const [, from = '', to = ''] = match
  const clamp = (n: number) => Math.max(0, Math.min(size, n))
  const start = clamp(Number(from) < 0 ? size + Number(from) : Number(from))
  const last = to === '*' ? size - 1 : Number(to) < 0 ? size + Number(to) : Number(to)
  return { start, end: Math.max(start, clamp(last + 1)) }
}

/** Whether If-None-Match names the entity (weak comparison, RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => plain(tag) === plain(etag))
}
