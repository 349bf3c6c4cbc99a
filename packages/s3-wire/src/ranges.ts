import { S3Error } from './errors.ts'

/** Both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads the header Range. As in S3, several ranges and headers that nobody understands mean the whole object.
 * @param size of the object
 * @returns undefined for the whole object (status 200 instead of 206)
 * @throws S3Error InvalidRange (416), which needs the header `Content-Range: bytes *\/<size>`
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const unsatisfiable = () =>
    new S3Error('InvalidRange', undefined, { RangeRequested: header!, ActualObjectSize: String(size) })
  if (first === '') {
    if (Number(last) === 0 || size === 0) throw unsatisfiable()
    return { start: Math.max(0, size - Number(last)), end: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) throw unsatisfiable()
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** @param range undefined for the answer to a range that cannot be satisfied */
export const contentRange = (range: ByteRange | undefined, size: number): string =>
  range ? `bytes ${range.start}-${range.end}/${size}` : `bytes */${size}`

/**
 * Reads the header x-amz-copy-source-range, which must be `bytes=first-last` within the source.
 * @throws S3Error InvalidArgument, InvalidRange
 */
export function readCopyRange(header: string, size: number): ByteRange {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? []
  const [start, end] = [Number(first), Number(last)]
  if (first === undefined || last === undefined || end < start)
    throw new S3Error('InvalidArgument', 'The x-amz-copy-source-range value must be of the form bytes=first-last.')
  if (end >= size)
    throw new S3Error('InvalidRange', undefined, { RangeRequested: header, ActualObjectSize: String(size) })
  return { start, end }
}
