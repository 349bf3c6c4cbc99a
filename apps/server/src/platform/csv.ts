/** Text that spreadsheets evaluate as a formula, also with full-width characters and after whitespace that they trim. */
const FORMULA = /^[\s\p{Cc}\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/u

/** A quoted cell. Text that looks like a formula gets an apostrophe in front, so that it is not evaluated. */
export function csvCell(value: string | number): string {
  const text = String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** A line of RFC 4180. */
export const csvLine = (values: readonly (string | number)[]): string => `${values.map(csvCell).join(',')}\r\n`
