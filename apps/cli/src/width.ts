const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u
const graphemes = new Intl.Segmenter()

const segmentsOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

const widthOfOne = (grapheme: string): number => {
  const first = String.fromCodePoint(grapheme.codePointAt(0) ?? 32)
  if (WIDE.test(first)) return 2
  return NONE.test(first) ? 0 : 1
}

/** Columns of a text on a terminal: two for a Chinese character, none for a combining mark. */
export function width(text: string): number {
  return segmentsOf(text).reduce((sum, grapheme) => sum + widthOfOne(grapheme), 0)
}

/** Cuts a text to a number of columns, with an ellipsis. */
export function cut(text: string, places: number): string {
  if (width(text) <= places) return text
  let kept = ''
  let used = 0
  for (const grapheme of segmentsOf(text)) {
    used += widthOfOne(grapheme)
    if (used > places - 1) break
    kept += grapheme
  }
  return places > 0 ? `${kept}…` : ''
}

/** Pads a text to a number of columns. */
export const pad = (text: string, places: number): string => text + ' '.repeat(Math.max(0, places - width(text)))

/** Replaces control characters in remote names, which could control the terminal. */
export const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are replaced
  text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')

/** Columns separated by two spaces. */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headers, ...rows.map((row) => row.map(plain))]
  const widths = headers.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))))
  return cells
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
