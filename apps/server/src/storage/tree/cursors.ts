import { AppError } from '@tidenet/contract'

/** The last row of a page: the part of the listing it was in, what it was ordered by, and its number. */
export interface Cursor {
  part: number
  key: string
  id: number
}

/** Opaque to clients, who hand it back for the next page: with the order it belongs to, and how much there was at the first page. */
export const writeCursor = ({ part, key, id }: Cursor, order: string, total = 0): string =>
  Buffer.from(JSON.stringify([part, key, id, order, total])).toString('base64url')

/** @throws AppError invalidParams for what is no cursor, or one of another order */
export function readCursor(text: string | undefined, order: string): (Cursor & { total: number }) | undefined {
  if (text === undefined) return undefined
  try {
    const [part, key, id, of, total] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (
      isWhole(part) &&
      typeof key === 'string' &&
      isWhole(id) &&
      isWhole(total) &&
      of === order &&
      !key.includes('\0')
    )
      return { part, key, id, total }
  } catch {
    // What cannot be read is refused below.
  }
  throw badCursor()
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

export const badCursor = () => new AppError('invalidParams', { field: 'after' })
