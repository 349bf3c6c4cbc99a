/** Encodings offered to the user. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'windows-1252',
] as const
export type Encoding = (typeof encodings)[number]

/** Bytes from which the encoding is guessed. */
const SAMPLE_BYTES = 64 * 1024

/**
 * The most likely encoding of a text, by byte order mark, NUL bytes (UTF-16), validity as UTF-8, or validity as GB 18030 with
 * consecutive Han characters.
 */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]! += 1
  const many = sample.length / 8
  if (zeros[1]! > many && zeros[0]! < many / 4) return 'utf-16le'
  if (zeros[0]! > many && zeros[1]! < many / 4) return 'utf-16be'
  if (isValid(sample, 'utf-8', bytes.length > sample.length)) return 'utf-8'
  if (isValid(sample, 'gb18030', bytes.length > sample.length)) {
    const text = new TextDecoder('gb18030').decode(sample)
    // In Western text, an accented letter and the next one decode to a single Han character, never to two in a row.
    const han = text.match(/\p{Script=Han}{2,}/gu)?.join('').length ?? 0
    if (han > text.length / 20) return 'gb18030'
  }
  return 'windows-1252'
}

/** @param cut the sample may end within a character */
function isValid(sample: Uint8Array, encoding: Encoding, cut: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: cut })
    return true
  } catch {
    return false
  }
}

export const decode = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes)

/** Whether bytes are more likely binary than text. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (guessEncoding(bytes).startsWith('utf-16')) return false
  return bytes.subarray(0, SAMPLE_BYTES).includes(0)
}

/** The first `limit` lines of a text. */
export function linesOf(text: string, limit: number): { lines: string[]; cut: boolean } {
  const lines = text.split(/\r\n|\n|\r/, limit + 2)
  // A text that ends with a line break has no empty line after it.
  if (lines.length <= limit + 1 && lines.at(-1) === '') lines.pop()
  return { lines: lines.slice(0, limit), cut: lines.length > limit }
}
