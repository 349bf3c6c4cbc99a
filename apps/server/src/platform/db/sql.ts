/** A statement with separate values, so a value is never parsed as SQL. */
export interface Sql {
  readonly text: string
  readonly values: unknown[]
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && value instanceof Statement

class Statement implements Sql {
  readonly text: string
  readonly values: unknown[]
  constructor(text: string, values: unknown[]) {
    this.text = text
    this.values = values
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

/** Empty SQL, for a condition that does not apply. */
export const none: Sql = new Statement('', [])
