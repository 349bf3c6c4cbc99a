import { createHash } from 'node:crypto'

/** A statement with separate values, so a value is never parsed as SQL. */
export interface Sql {
  readonly text: string
  readonly values: unknown[]
  /** Of a statement that each connection parses and plans only once. */
  readonly name?: string | undefined
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && value instanceof Statement

class Statement implements Sql {
  readonly text: string
  readonly values: unknown[]
  readonly name: string | undefined
  constructor(text: string, values: unknown[], name?: string) {
    this.text = text
    this.values = values
    this.name = name
  }
}

/** Builds a statement: values become parameters, nested statements are inlined. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  let text = strings[0] ?? ''
  const values: unknown[] = []
  parts.forEach((part, index) => {
    if (isSql(part)) {
      text += part.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + values.length}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1] ?? ''
  })
  return new Statement(text, values)
}

/** By text; each text is that of a statement in the code. */
const names = new Map<string, string>()

/**
 * The same for statements that run often and find their rows by a key: most of their time would be that of parsing and planning. Not for
 * those whose best plan depends on the values.
 */
export function prepared(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const { text, values } = sql(strings, ...parts)
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    names.set(text, name)
  }
  return new Statement(text, values, name)
}

/** Empty SQL, for a condition that does not apply. */
export const none: Sql = new Statement('', [])
