/** What spreadsheets take for the beginning of a formula, also in its full-width forms and after blanks that they cut off. */
const FORMULA = /^[\s\p{Cc}\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/u

/** A cell that shows its text and runs nothing: quoted, and what looks like a formula begins with an apostrophe. */
export function csvCell(value: string | number): string {
  const text = String(value)
  const plain = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

/** A line of RFC 4180. */
export const csvLine = (values: readonly (string | number)[]): string => `${values.map(csvCell).join(',')}\r\n`
