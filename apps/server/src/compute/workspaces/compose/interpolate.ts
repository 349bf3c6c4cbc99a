/** `$VAR`, `${VAR}`, `${VAR:-default}`, `${VAR-default}`, `${VAR:?error}`, `${VAR:+other}` and `$$`, as Compose reads them. */

const NAME = /^[A-Za-z_]\w*/
const DEPTH_MAX = 10

export type Interpolated =
  | { text: string }
  /** `variable`: the name of a variable without a value. */
  | { variable: string }
  | { invalid: true }

/** Of a whole file with all copies of its anchors: a file of 128 KiB can name a long variable 65,000 times, in each of 100 copies. */
const CHARACTERS_MAX = 1024 * 1024
const EXPRESSIONS_MAX = 5000

/** What the texts of a file have used so far. */
export interface Used {
  /** Names of variables. */
  names: Set<string>
  expressions: number
  characters: number
}

/** @param used by the file; grows */
export function interpolate(text: string, values: Readonly<Record<string, string>>, used: Used): Interpolated {
  try {
    return { text: replace(text, { values, used, depth: 0 }) }
  } catch (error) {
    if (error instanceof Missing) return { variable: error.variable }
    if (error instanceof Invalid) return { invalid: true }
    throw error
  }
}

class Missing extends Error {
  readonly variable: string
  constructor(variable: string) {
    super(variable)
    this.variable = variable
  }
}
class Invalid extends Error {}

interface State {
  values: Readonly<Record<string, string>>
  used: Used
  depth: number
}

function replace(text: string, state: State): string {
  if (state.depth > DEPTH_MAX) throw new Invalid()
  let result = ''
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('$', at)
    if (next < 0) return result + text.slice(at)
    result += text.slice(at, next)
    const after = text[next + 1]
    if (after === '$') {
      result += '$'
      at = next + 2
    } else if (after === '{') {
      const end = closing(text, next + 2)
      result += expand(text.slice(next + 2, end), state)
      at = end + 1
    } else {
      const name = NAME.exec(text.slice(next + 1, next + 201))?.[0]
      if (!name) throw new Invalid()
      result += expand(name, state)
      at = next + 1 + name.length
    }
  }
  return result
}

/** The place of the brace that closes the one before `from`. @throws Invalid */
function closing(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '$' && text[at + 1] === '{') open += 1
    else if (text[at] === '}') open -= 1
    if (open === 0) return at
  }
  throw new Invalid()
}

function expand(expression: string, state: State): string {
  const { used } = state
  used.expressions += 1
  if (used.expressions > EXPRESSIONS_MAX) throw new Invalid()
  const value = resultOf(expression, state)
  used.characters += value.length
  if (used.characters > CHARACTERS_MAX) throw new Invalid()
  return value
}

function resultOf(expression: string, state: State): string {
  const name = NAME.exec(expression.slice(0, 200))?.[0]
  if (!name) throw new Invalid()
  const { used, values } = state
  used.names.add(name)
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  const rest = expression.slice(name.length)
  if (rest === '') {
    if (value === undefined) throw new Missing(name)
    return value
  }
  const [, colon = '', sign = '', other = ''] = /^(:?)([-?+])([\s\S]*)$/.exec(rest) ?? []
  if (sign === '') throw new Invalid()
  const isSet = value !== undefined && (colon === '' || value !== '')
  if (sign === '+') return isSet ? replace(other, { ...state, depth: state.depth + 1 }) : ''
  if (isSet) return value
  if (sign === '?') throw new Missing(name)
  return replace(other, { ...state, depth: state.depth + 1 })
}
