import { S3Error } from './errors.ts'
import { parameterOf, type Target } from './request.ts'
import { PARTS_MAX } from './xml-bodies.ts'

/** Of a page, and if the client does not say. */
export const PAGE_MAX = 1000

/** What every listing can have. */
export interface PageParameters {
  prefix: string
  /** '' for none. */
  delimiter: string
  isUrlEncoded: boolean
  /** 0 to 1,000: asking for more is allowed, and gets 1,000. */
  max: number
}

const invalid = (name: string, value: string, message = 'Invalid Argument') =>
  new S3Error('InvalidArgument', message, { ArgumentName: name, ArgumentValue: value })

/** @throws S3Error InvalidArgument */
export function readInteger(target: Target, name: string, fallback: number, max: number): number {
  const value = parameterOf(target, name)
  if (value === undefined || value === '') return fallback
  if (!/^\d{1,10}$/.test(value) || Number(value) > 2 ** 31 - 1)
    throw invalid(name, value, `Argument ${name} must be an integer between 0 and 2147483647`)
  return Math.min(Number(value), max)
}

/** @throws S3Error InvalidArgument, with the same range for numbers and everything else */
export function readPartNumber(target: Target): number {
  const value = parameterOf(target, 'partNumber') ?? ''
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > PARTS_MAX)
    throw invalid('partNumber', value, `Part number must be an integer between 1 and ${PARTS_MAX}, inclusive`)
  return number
}

/**
 * @param maxName max-keys, max-uploads
 * @throws S3Error InvalidArgument
 */
export function readPage(target: Target, maxName: string): PageParameters {
  const encoding = parameterOf(target, 'encoding-type')
  if (encoding !== undefined && encoding !== 'url')
    throw invalid('encoding-type', encoding, 'Invalid Encoding Method specified in Request')
  return {
    prefix: parameterOf(target, 'prefix') ?? '',
    delimiter: parameterOf(target, 'delimiter') ?? '',
    isUrlEncoded: encoding === 'url',
    max: readInteger(target, maxName, PAGE_MAX, PAGE_MAX),
  }
}

/** Keys after `after` in the order of UTF-8 bytes; a common prefix that is `after` was listed before. */
export interface ListParameters extends PageParameters {
  version: 1 | 2
  /** Key or common prefix; '' for the start. */
  after: string
  /** As given; they are part of the answer. */
  marker: string
  startAfter?: string
  continuationToken?: string
  withOwner: boolean
}

/**
 * Parameters of ListObjects and, with `list-type=2`, ListObjectsV2.
 * @throws S3Error InvalidArgument
 */
export function readListParameters(target: Target): ListParameters {
  const page = readPage(target, 'max-keys')
  const type = parameterOf(target, 'list-type')
  if (type !== undefined && type !== '2') throw invalid('list-type', type)
  if (type === undefined) {
    const marker = parameterOf(target, 'marker') ?? ''
    return { ...page, version: 1, after: marker, marker, withOwner: true }
  }
  const startAfter = parameterOf(target, 'start-after')
  const continuationToken = parameterOf(target, 'continuation-token')
  return {
    ...page,
    version: 2,
    after: continuationToken === undefined ? (startAfter ?? '') : keyOfToken(continuationToken),
    marker: '',
    ...(startAfter !== undefined && { startAfter }),
    ...(continuationToken !== undefined && { continuationToken }),
    withOwner: parameterOf(target, 'fetch-owner') === 'true',
  }
}

/** @param last key or common prefix of the page before */
export const continuationTokenOf = (last: string): string => Buffer.from(last).toString('base64url')

function keyOfToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString()
  if (key === '' || continuationTokenOf(key) !== token)
    throw invalid('continuation-token', token, 'The continuation token provided is incorrect')
  return key
}
