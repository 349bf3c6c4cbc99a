/** Column separators, most likely first. */
export const separators = [',', ';', '\t', '|'] as const
export type Separator = (typeof separators)[number]

/** The separator that splits the first lines into the most columns, the same number in each line. */
export function guessSeparator(text: string): Separator {
  const head = text.slice(0, 20_000)
  let best: Separator = ','
  let most = 1
  for (const separator of separators) {
    const { rows } = readTable(head, separator, 12)
    const columns = rows[0]?.length ?? 0
    // The last row may be cut off.
    const even = rows.slice(0, -1).every((row) => row.length === columns)
    if (even && columns > most) {
      best = separator
      most = columns
    }
  }
  return best
}

/** Parses CSV (RFC 4180): quoted fields may contain separators, line breaks and doubled quotes. At most `limit` rows. */
export function readTable(text: string, separator: Separator, limit: number): { rows: string[][]; cut: boolean } {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    if (rows.length >= limit) return { rows, cut: true }
    let field = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote < 0) {
          field += text.slice(at)
          at = text.length
          break
        }
        field += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        field += '"'
        at += 1
      }
    }
    const end = endOfField(text, at, separator)
    row.push(field + text.slice(at, end))
    at = end
    if (text[at] === separator) {
      at += 1
      if (at < text.length) continue
      row.push('')
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    rows.push(row)
    row = []
  }
  return { rows, cut: false }
}

function endOfField(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === separator || char === '\n' || char === '\r') return at
  }
  return text.length
}
