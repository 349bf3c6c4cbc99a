import { AppError } from '@tidenet/contract'

/** Sort key of the last row of a page. Opaque to clients, which send it to get the next page. */
type Cursor = readonly (string | number)[]

const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/**
 * @param shape types of the parts, such as `['string', 'number']`
 * @throws AppError invalidParams
 */
function readCursor(text: string | undefined, shape: readonly ('string' | 'number')[]): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(parts) && parts.length === shape.length && parts.every((part, at) => fits(part, shape[at])))
      return parts as Cursor
  } catch {
    // Refused below.
  }
  throw new AppError('invalidParams', { field: 'after' })
}

const fits = (part: unknown, type: 'string' | 'number' | undefined): boolean =>
  type === 'number' ? Number.isSafeInteger(part) : typeof part === 'string' && !part.includes('\0')

/** The cursor of lists that are ordered by id. */
export const idAfter = (text: string | undefined): number | undefined =>
  readCursor(text, ['number'])?.[0] as number | undefined

export function nameAfter(text: string | undefined): { name: string; id: string } | undefined {
  const cursor = readCursor(text, ['string', 'string'])
  return cursor && { name: cursor[0] as string, id: cursor[1] as string }
}

/** Where a list ordered by time and id, newest first, continues. */
export interface Before {
  at: Date
  id: number
}

export function timeAfter(text: string | undefined): { at: Date; id: number } | undefined {
  const cursor = readCursor(text, ['number', 'number'])
  if (!cursor) return undefined
  const at = new Date(cursor[0] as number)
  if (Number.isNaN(at.getTime())) throw new AppError('invalidParams', { field: 'after' })
  return { at, id: cursor[1] as number }
}

/** Makes a page of `size` rows. Query one row more: if it exists, there is a next page. */
export function pageOf<R>(rows: readonly R[], size: number, cursorOf: (last: R) => Cursor) {
  const list = rows.slice(0, size)
  const last = list.at(-1)
  return { list, next: rows.length > size && last !== undefined ? writeCursor(cursorOf(last)) : null }
}

/** Escapes the wildcards of LIKE. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)
