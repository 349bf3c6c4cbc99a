/** The bytes [start, end). */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Parses a Range header for `size` bytes (RFC 9110, 14.2). `undefined`: send everything, because there is no range, it is invalid, or there
 * are several; `unsatisfiable`: 416.
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

/** Whether If-None-Match contains the entity tag (weak comparison, RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => plain(tag) === plain(etag))
}
