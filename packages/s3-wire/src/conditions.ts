import { S3Error } from './errors.ts'
import { type Headers, headerOf } from './request.ts'
import { unquote } from './xml-bodies.ts'

/** What conditions are about. */
export interface Validators {
  /** Without quotes. */
  etag: string
  /** Unix milliseconds; headers have seconds. */
  lastModified: number
}

/** ETags without quotes, `*` for any; dates in Unix milliseconds. Dates that nobody understands are left out, as HTTP demands. */
export interface Conditions {
  ifMatch?: string[]
  ifNoneMatch?: string[]
  ifModifiedSince?: number
  ifUnmodifiedSince?: number
}

/** @param prefix `x-amz-copy-source-` for conditions on the source of a copy */
export function readConditions(headers: Headers, prefix: '' | 'x-amz-copy-source-' = ''): Conditions {
  const etags = (name: string) =>
    headerOf(headers, prefix + name)
      ?.split(',')
      .map((etag) => unquote(etag.trim().replace(/^W\//, '')))
  const found = {
    ifMatch: etags('if-match'),
    ifNoneMatch: etags('if-none-match'),
    ifModifiedSince: timeOfHeader(headerOf(headers, `${prefix}if-modified-since`)),
    ifUnmodifiedSince: timeOfHeader(headerOf(headers, `${prefix}if-unmodified-since`)),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function timeOfHeader(value: string | undefined): number | undefined {
  // Date.parse also takes a bare number for a date.
  const time = Date.parse(/^[A-Z][a-z]+,? /.test(value ?? '') ? value! : '')
  return Number.isNaN(time) ? undefined : time
}

const includes = (etags: readonly string[], etag: string) => etags.includes('*') || etags.includes(etag)
const failed = (condition: string) => new S3Error('PreconditionFailed', undefined, { Condition: condition })
const inSeconds = (time: number) => Math.floor(time / 1000)

/**
 * For GET and HEAD. If-Match decides over If-Unmodified-Since, and If-None-Match over If-Modified-Since.
 * @returns whether the client's copy is current: answer 304
 * @throws S3Error PreconditionFailed
 */
export function isNotModified(conditions: Conditions, object: Validators): boolean {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions
  const modified = inSeconds(object.lastModified)
  if (ifMatch) {
    if (!includes(ifMatch, object.etag)) throw failed('If-Match')
  } else if (ifUnmodifiedSince !== undefined && modified > inSeconds(ifUnmodifiedSince))
    throw failed('If-Unmodified-Since')
  if (ifNoneMatch) return includes(ifNoneMatch, object.etag)
  return ifModifiedSince !== undefined && modified <= inSeconds(ifModifiedSince)
}

/**
 * For the source of a copy, where a copy that is current is a failed condition, too.
 * @throws S3Error PreconditionFailed
 */
export function requireCopyConditions(conditions: Conditions, source: Validators): void {
  if (!isNotModified(conditions, source)) return
  throw failed(conditions.ifNoneMatch ? 'x-amz-copy-source-If-None-Match' : 'x-amz-copy-source-If-Modified-Since')
}

/**
 * For PUT, POST and DELETE, in the transaction that writes. As in S3, dates are not conditions of writes.
 * @param object what is there now, if anything
 * @throws S3Error PreconditionFailed, NoSuchKey
 */
export function requireWriteConditions({ ifMatch, ifNoneMatch }: Conditions, object: Validators | undefined): void {
  if (ifMatch && !object) throw new S3Error('NoSuchKey')
  if (ifMatch && object && !includes(ifMatch, object.etag)) throw failed('If-Match')
  if (ifNoneMatch && object && includes(ifNoneMatch, object.etag)) throw failed('If-None-Match')
}

/** Whether a range may be answered; otherwise the object changed and the client needs all of it. */
export function isRangeCurrent(headers: Headers, object: Validators): boolean {
  const value = headerOf(headers, 'if-range')
  if (value === undefined) return true
  if (/^(?:W\/)?"/.test(value)) return unquote(value) === object.etag
  const time = timeOfHeader(value)
  return time !== undefined && inSeconds(time) === inSeconds(object.lastModified)
}
