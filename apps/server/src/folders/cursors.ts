import { AppError } from '@tidenet/contract'

/** The last row of a page: the part of the listing it was in, what it was ordered by, and its number. */
export interface Cursor {
  part: number
  key: string
  id: number
}

/** Opaque to clients, who hand it back for the next page. */
export const writeCursor = ({ part, key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([part, key, id])).toString('base64url')

/** @throws AppError invalidParams for what is no cursor */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  try {
    const [part, key, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (Number.isInteger(part) && typeof key === 'string' && Number.isSafeInteger(id) && !key.includes('\0'))
      return { part: part as number, key, id: id as number }
  } catch {
    // What cannot be read is refused below.
  }
  throw new AppError('invalidParams', { field: 'after' })
}
