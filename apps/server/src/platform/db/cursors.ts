import { AppError } from '@tidenet/contract'

/** What the last row of a page was ordered by. Opaque to clients, who hand it back for the next page. */
type Cursor = readonly (string | number)[]

const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/**
 * Reads a cursor of that shape: `['string', 'number']`.
 * @throws AppError invalidParams for what is no such cursor
 */
function readCursor(text: string | undefined, shape: readonly ('string' | 'number')[]): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(parts) && parts.length === shape.length && parts.every((part, at) => fits(part, shape[at])))
      return parts as Cursor
  } catch {
    // What cannot be read is refused below.
  }
  throw new AppError('invalidParams', { field: 'after' })
}

const fits = (part: unknown, type: 'string' | 'number' | undefined): boolean =>
  type === 'number' ? Number.isSafeInteger(part) : typeof part === 'string' && !part.includes('\0')

/** The id of the last row, for lists that are ordered by it alone. */
export const idAfter = (text: string | undefined): number | undefined =>
  readCursor(text, ['number'])?.[0] as number | undefined

export function nameAfter(text: string | undefined): { name: string; id: string } | undefined {
  const cursor = readCursor(text, ['string', 'string'])
  return cursor && { name: cursor[0] as string, id: cursor[1] as string }
}

export function timeAfter(text: string | undefined): { at: Date; id: number } | undefined {
  const cursor = readCursor(text, ['number', 'number'])
  if (!cursor) return undefined
  const at = new Date(cursor[0] as number)
  if (Number.isNaN(at.getTime())) throw new AppError('invalidParams', { field: 'after' })
  return { at, id: cursor[1] as number }
}

/** A page of `size` of rows of which one more was asked for: when it is there, there is a next page. */
export function pageOf<R>(rows: readonly R[], size: number, cursorOf: (last: R) => Cursor) {
  const list = rows.slice(0, size)
  const last = list.at(-1)
  return { list, next: rows.length > size && last !== undefined ? writeCursor(cursorOf(last)) : null }
}

/** A text as LIKE takes it literally. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)
