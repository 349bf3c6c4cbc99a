/** Most levels of objects and arrays. */
const DEPTH_MAX = 16
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|[-0-9][-+.0-9eE]*/g
const WHOLE = /^(?:0|[1-9][0-9]{0,15})$/

/**
 * Parses JSON that every parser reads in the same way. `json`: it is none, or nested too deeply. `duplicate_key`: parsers differ in which of
 * two values they take. `number`: a number that is not written as digits only.
 */
export type JsonProblem = 'json' | 'duplicate_key' | 'number'

export function parseJson(text: string): { value: unknown } | { reason: JsonProblem } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { reason: 'json' }
  }
  let isDuplicate = false
  let isNumber = true
  /** The keys of each open object; undefined for an array. */
  const open: (Set<unknown> | undefined)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined)
      if (open.length > DEPTH_MAX) return { reason: 'json' }
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (token === ':') {
      const keys = open.at(-1)
      // `"a"` and `"\u0061"` are the same key.
      const key: unknown = JSON.parse(last)
      if (keys?.has(key)) isDuplicate = true
      keys?.add(key)
    } else if (!token.startsWith('"') && !WHOLE.test(token)) {
      isNumber = false
    }
    last = token
  }
  if (isDuplicate) return { reason: 'duplicate_key' }
  return isNumber ? { value } : { reason: 'number' }
}

/** Undefined if the bytes are not UTF-8. A byte order mark stays: it would be a second form. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
