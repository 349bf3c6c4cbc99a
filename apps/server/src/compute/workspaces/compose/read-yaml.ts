import { LineCounter, parseDocument } from 'yaml'

/** Reads YAML of strangers: no custom types, text keys only, no key twice, few aliases. */

export const TEXT_MAX_BYTES = 128 * 1024
/** Uses of anchors, nested ones multiplied: a “billion laughs” file has millions. */
const ALIASES_MAX = 100
const DEPTH_MAX = 40

export type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml }

/** @returns the value, or what is wrong, in English */
export function readYaml(text: string): { value: Yaml } | { problem: string } {
  if (Buffer.byteLength(text) > TEXT_MAX_BYTES) return { problem: `more than ${TEXT_MAX_BYTES / 1024} KiB` }
  if (isDeep(text)) return { problem: `more than ${DEPTH_MAX} levels` }
  try {
    const lineCounter = new LineCounter()
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: true,
      uniqueKeys: true,
      stringKeys: true,
      strict: true,
      // Warnings of strangers are not printed. With `silent`, a second document would be no error.
      logLevel: 'error',
      prettyErrors: false,
      lineCounter,
    })
    const [error] = [...document.errors, ...document.warnings]
    if (error) return { problem: `line ${lineCounter.linePos(error.pos[0]).line}: ${error.message.slice(0, 200)}` }
    return { value: document.toJS({ maxAliasCount: ALIASES_MAX }) as Yaml }
  } catch (error) {
    // Too many aliases, or too deep for the stack.
    return { problem: (error as Error).message.slice(0, 200) }
  }
}

/** Whether brackets or indentation are nested so deep that the parser would need a large stack. */
function isDeep(text: string): boolean {
  let open = 0
  for (const sign of text)
    if (sign === '[' || sign === '{') {
      open += 1
      if (open > 1000) return true
    } else if (sign === ']' || sign === '}') open -= 1
  // `- - - -` and `? ? ?` nest as well.
  return /(?:[-?:] ){1000}/.test(text) || /^ {2000}/m.test(text)
}

/** Whether a value, with everything in it, is at most `DEPTH_MAX` deep. */
export function isShallow(value: Yaml, left = DEPTH_MAX): boolean {
  if (value === null || typeof value !== 'object') return true
  return left > 0 && Object.values(value).every((each) => isShallow(each, left - 1))
}
