import { S3Error, type S3ErrorCode } from './errors.ts'
import { type Headers, headerOf, parameterOf, type Target } from './request.ts'

/** Who signed, when, and for what. */
export interface Authorization {
  accessKeyId: string
  /** Day of the credential scope: YYYYMMDD. */
  date: string
  region: string
  service: 's3'
  /** Time of the signature: YYYYMMDDTHHMMSSZ. */
  amzDate: string
  /** Seconds from `amzDate`; presigned requests only. */
  expires?: number
  /** Lower case, sorted. */
  signedHeaders: string[]
  /** 64 lower-case hexadecimal digits. */
  signature: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const MAX_SKEW_MS = 15 * 60_000
const MAX_EXPIRES_S = 7 * 24 * 3600
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/

/**
 * Reads and checks all of an authorization but its signature.
 * @throws S3Error AccessDenied if there is none, or if a presigned request is not valid now
 */
export function readAuthorization(target: Target, headers: Headers, now: number): Authorization {
  const header = headerOf(headers, 'authorization')
  const algorithm = parameterOf(target, 'X-Amz-Algorithm')
  const isOldQuery = parameterOf(target, 'AWSAccessKeyId') !== undefined
  if ((header !== undefined && algorithm !== undefined) || (algorithm !== undefined && isOldQuery))
    throw new S3Error('InvalidArgument', 'Sign with the Authorization header or with the query, not with both.')
  if (isOldQuery || (header !== undefined && /^AWS\s/i.test(header))) throw signatureVersion()
  if (headers.has('x-amz-security-token') || parameterOf(target, 'X-Amz-Security-Token') !== undefined)
    throw new S3Error('InvalidToken', 'There are no temporary credentials here: sign without a session token.')
  if (header !== undefined) return fromHeader(header, headers, now)
  if (algorithm !== undefined) return fromQuery(algorithm, target, now)
  throw unsigned()
}

/** Of a request or a form without a signature. */
export const unsigned = () =>
  new S3Error(
    'AccessDenied',
    'The request is not signed, and buckets are private. Sign it with an access key, or use a presigned URL.',
  )

const signatureVersion = () =>
  new S3Error(
    'InvalidRequest',
    `The authorization mechanism you have provided is not supported. Please use ${ALGORITHM} (Signature Version 4; in AWS CLI and boto3, set signature_version to s3v4).`,
  )

function fromHeader(header: string, headers: Headers, now: number): Authorization {
  const code = 'AuthorizationHeaderMalformed'
  if (!header.startsWith(`${ALGORITHM} `)) {
    if (/^AWS4-/.test(header)) throw signatureVersion()
    throw new S3Error('InvalidArgument', 'Unsupported Authorization Type')
  }
  const fields = new Map<string, string>()
  for (const part of header.slice(ALGORITHM.length).split(',')) {
    const [, name, value] = /^\s*(Credential|SignedHeaders|Signature)=(\S+)\s*$/.exec(part) ?? []
    if (name === undefined || value === undefined || fields.has(name)) throw new S3Error(code)
    fields.set(name, value)
  }
  const amzDate = dateOfHeaders(headers)
  const authorization = readFields(
    {
      credential: fields.get('Credential'),
      signedHeaders: fields.get('SignedHeaders'),
      signature: fields.get('Signature'),
      amzDate,
    },
    code,
  )
  const time = timeOf(amzDate)
  if (Math.abs(now - time) > MAX_SKEW_MS)
    throw new S3Error('RequestTimeTooSkewed', undefined, {
      RequestTime: amzDate,
      ServerTime: isoTime(now),
      MaxAllowedSkewMilliseconds: String(MAX_SKEW_MS),
    })
  return authorization
}

function fromQuery(algorithm: string, target: Target, now: number): Authorization {
  const code = 'AuthorizationQueryParametersError'
  if (algorithm !== ALGORITHM) throw signatureVersion()
  const amzDate = parameterOf(target, 'X-Amz-Date') ?? ''
  const expires = parameterOf(target, 'X-Amz-Expires') ?? ''
  if (!/^\d{1,6}$/.test(expires) || Number(expires) > MAX_EXPIRES_S)
    throw new S3Error(code, 'X-Amz-Expires must be a number of seconds, at most a week.')
  const authorization = readFields(
    {
      credential: parameterOf(target, 'X-Amz-Credential'),
      signedHeaders: parameterOf(target, 'X-Amz-SignedHeaders'),
      signature: parameterOf(target, 'X-Amz-Signature'),
      amzDate,
    },
    code,
  )
  const start = timeOf(amzDate)
  const end = start + Number(expires) * 1000
  if (now < start - MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet')
  if (now > end)
    throw new S3Error('AccessDenied', 'Request has expired', {
      'X-Amz-Expires': expires,
      Expires: isoTime(end),
      ServerTime: isoTime(now),
    })
  return { ...authorization, expires: Number(expires) }
}

interface Fields {
  credential: string | undefined
  signedHeaders: string | undefined
  signature: string | undefined
  amzDate: string
}

function readFields({ credential, signedHeaders, signature, amzDate }: Fields, code: S3ErrorCode): Authorization {
  const { accessKeyId, date, region } = readCredential(credential, code)
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature))
    throw new S3Error(code, 'The signature must have 64 lower-case hexadecimal digits.')
  const names = (signedHeaders ?? '').split(';')
  const isSorted = names.every((name, index) => HEADER_NAME.test(name) && (index === 0 || names[index - 1]! < name))
  if (!isSorted || !names.includes('host'))
    throw new S3Error(code, 'SignedHeaders must be sorted names in lower case, host among them.')
  if (Number.isNaN(timeOf(amzDate))) throw new S3Error(code, 'The date must be a time of the form YYYYMMDDTHHMMSSZ.')
  if (!amzDate.startsWith(date))
    throw new S3Error(code, 'The date of the credential is another day than the date of the request.')
  return { accessKeyId, date, region, service: 's3', amzDate, signedHeaders: names, signature }
}

/**
 * Splits `<access key>/<YYYYMMDD>/<region>/s3/aws4_request`.
 * @throws S3Error with the code that the caller's kind of authorization has
 */
export function readCredential(
  credential: string | undefined,
  code: S3ErrorCode,
): { accessKeyId: string; date: string; region: string } {
  const [, accessKeyId, date, region, service] =
    /^([\w-]{1,128})\/(\d{8})\/([\w-]{1,64})\/([\w-]{1,64})\/aws4_request$/.exec(credential ?? '') ?? []
  if (!accessKeyId || !date || !region)
    throw new S3Error(code, 'The credential must be <access key>/<YYYYMMDD>/<region>/s3/aws4_request.')
  if (service !== 's3') throw new S3Error(code, `The service of the credential must be s3, not ${service}.`)
  return { accessKeyId, date, region }
}

function dateOfHeaders(headers: Headers): string {
  const amzDate = headerOf(headers, 'x-amz-date')
  if (amzDate !== undefined) return amzDate
  const time = Date.parse(headerOf(headers, 'date') ?? '')
  if (Number.isNaN(time))
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header')
  return isoTime(time).replace(/[-:]/g, '')
}

/** Without milliseconds. */
const isoTime = (time: number) => new Date(time).toISOString().replace(/\.\d+/, '')

/**
 * Unix milliseconds of YYYYMMDDTHHMMSSZ.
 * @returns NaN for anything else, and for days that do not exist
 */
export function timeOf(amzDate: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate) ?? []
  const [year, month, day, hour, minute, second] = parts
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // Date.parse takes the 31st of every month.
  return !Number.isNaN(time) && isoTime(time).replace(/[-:]/g, '') === amzDate ? time : Number.NaN
}
