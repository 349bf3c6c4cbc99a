import { AppError } from '@tidenet/contract'

/** The last row of a page: its part of the listing, its sort key and its id. */
export interface Cursor {
  part: number
  key: string
  id: number
}

/** An opaque cursor for the next page, with the order and the total of the first page. */
export const writeCursor = ({ part, key, id }: Cursor, order: string, total = 0): string =>
  Buffer.from(JSON.stringify([part, key, id, order, total])).toString('base64url')

/** @throws AppError invalidParams for a malformed cursor, or one of another order */
export function readCursor(text: string | undefined, order: string): (Cursor & { total: number }) | undefined {
  if (text === undefined) return undefined
  try {
    const [part, key, id, of, total] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (
      isInteger(part) &&
      typeof key === 'string' &&
      isInteger(id) &&
      isInteger(total) &&
      of === order &&
      !key.includes('\0')
    )
      return { part, key, id, total }
  } catch {
    // Malformed cursors are rejected below.
  }
  throw badCursor()
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

export const badCursor = () => new AppError('invalidParams', { field: 'after' })
