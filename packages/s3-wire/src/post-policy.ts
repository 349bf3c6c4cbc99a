import { type Authorization, readCredential, timeOf, unsigned } from './authorization.ts'
import { S3Error } from './errors.ts'
import { requireKey } from './names.ts'

/** A form whose fields its policy allows; `verifySignature` decides whether the owner of the key made the policy. */
export interface PostAuthorization
  extends Pick<Authorization, 'accessKeyId' | 'amzDate' | 'date' | 'region' | 'service' | 'signature'> {
  stringToSign: string
  /** With the name of the file in the place of `${filename}`. */
  key: string
  /** Of the file; without a limit in the policy, any size. */
  minBytes: number
  maxBytes: number
}

type Condition =
  | { kind: 'eq' | 'starts-with'; field: string; value: string }
  | { kind: 'content-length-range'; min: number; max: number }

/** Fields that no condition needs to name. */
const FREE = new Set(['policy', 'x-amz-signature', 'file'])
const MAX_AGE_MS = 7 * 24 * 3600 * 1000
const MAX_SKEW_MS = 15 * 60_000

/**
 * Checks a form of a browser.
 * @param form its fields by lower-case names, and the bucket that it was sent to
 * @param now Unix milliseconds
 * @throws S3Error AccessDenied if it has no policy, or one that is over or does not allow the fields; InvalidPolicyDocument,
 *   InvalidArgument, InvalidRequest
 */
export function readPostPolicy(
  form: { fields: ReadonlyMap<string, string>; fileName: string; bucket: string },
  now: number,
): PostAuthorization {
  const fields = new Map(form.fields)
  if (fields.has('awsaccesskeyid') || fields.has('signature'))
    throw new S3Error('InvalidRequest', 'Sign the policy with AWS4-HMAC-SHA256 (Signature Version 4).')
  if (fields.has('x-amz-security-token'))
    throw new S3Error('InvalidToken', 'There are no temporary credentials here: sign without a session token.')
  const stringToSign = fields.get('policy')
  if (stringToSign === undefined) throw unsigned()
  const authorization = readFields(fields, now)

  const key = fields.get('key')?.replace(/\$\{filename\}/g, () => form.fileName)
  if (key === undefined) throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.")
  requireKey(key)
  fields.set('key', key)
  fields.set('bucket', form.bucket)

  const { expiration, conditions } = readDocument(stringToSign)
  if (now >= expiration) throw new S3Error('AccessDenied', 'Invalid according to Policy: Policy expired.')
  requireConditions(conditions, fields)
  const ranges = conditions.filter((condition) => condition.kind === 'content-length-range')
  return {
    ...authorization,
    stringToSign,
    key,
    minBytes: Math.max(0, ...ranges.map(({ min }) => min)),
    maxBytes: Math.min(Number.POSITIVE_INFINITY, ...ranges.map(({ max }) => max)),
  }
}

function readFields(fields: ReadonlyMap<string, string>, now: number) {
  const code = 'InvalidArgument'
  if (fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256')
    throw new S3Error(code, 'The field x-amz-algorithm must be AWS4-HMAC-SHA256.')
  const { accessKeyId, date, region } = readCredential(fields.get('x-amz-credential'), code)
  const amzDate = fields.get('x-amz-date') ?? ''
  const time = timeOf(amzDate)
  if (Number.isNaN(time) || !amzDate.startsWith(date))
    throw new S3Error(code, 'The field x-amz-date must be a time on the day of the credential: YYYYMMDDTHHMMSSZ.')
  if (now - time > MAX_AGE_MS || time - now > MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request has expired')
  const signature = fields.get('x-amz-signature') ?? ''
  if (!/^[0-9a-f]{64}$/.test(signature))
    throw new S3Error(code, 'The field x-amz-signature must have 64 lower-case hexadecimal digits.')
  return { accessKeyId, date, region, service: 's3' as const, amzDate, signature }
}

const invalid = (message: string) => new S3Error('InvalidPolicyDocument', `Invalid Policy: ${message}`)

function readDocument(base64: string): { expiration: number; conditions: Condition[] } {
  const document = parseJson(base64)
  const { expiration, conditions } = document as { expiration?: unknown; conditions?: unknown }
  const isTime = typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(expiration)
  const time = isTime ? Date.parse(expiration) : Number.NaN
  if (Number.isNaN(time)) throw invalid('expiration must be a time in ISO 8601 form.')
  if (!Array.isArray(conditions)) throw invalid('conditions must be a list.')
  return { expiration: time, conditions: conditions.flatMap(readCondition) }
}

function parseJson(base64: string): object {
  const bytes = Buffer.from(base64, 'base64')
  try {
    if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) throw invalid('not base64.')
    const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof document === 'object' && document !== null) return document
  } catch {
    // The same answer for all of it.
  }
  throw invalid('it must be JSON in base64.')
}

function readCondition(condition: unknown): Condition[] {
  if (Array.isArray(condition)) return [readListed(condition)]
  if (typeof condition !== 'object' || condition === null) throw invalid('a condition must be a list or an object.')
  return Object.entries(condition).map(([name, value]) => {
    if (typeof value !== 'string') throw invalid('the value of a condition must be a text.')
    return { kind: 'eq', field: name.toLowerCase(), value }
  })
}

function readListed(condition: unknown[]): Condition {
  const [kind, first, second] = condition
  const name = String(kind).toLowerCase()
  if (condition.length !== 3) throw invalid('a condition must have three elements.')
  if (name === 'content-length-range') {
    const [min, max] = [readSize(first), readSize(second)]
    if (min > max) throw invalid('the range of lengths is empty.')
    return { kind: name, min, max }
  }
  if (name !== 'eq' && name !== 'starts-with') throw invalid('unknown condition.')
  if (typeof first !== 'string' || !first.startsWith('$') || typeof second !== 'string')
    throw invalid('a condition must name a field with $, and a text.')
  return { kind: name, field: first.slice(1).toLowerCase(), value: second }
}

function readSize(value: unknown): number {
  if (!/^\d{1,15}$/.test(String(value))) throw invalid('the length must be a number of bytes.')
  return Number(value)
}

function requireConditions(conditions: readonly Condition[], fields: ReadonlyMap<string, string>): void {
  const named = new Set<string>()
  for (const condition of conditions) {
    if (condition.kind === 'content-length-range') continue
    const { kind, field, value } = condition
    named.add(field)
    const given = fields.get(field) ?? ''
    // A list of types must not begin with an allowed one and go on with another.
    const parts = field === 'content-type' ? given.split(',').map((part) => part.trim()) : [given]
    const holds = kind === 'eq' ? given === value : parts.every((part) => part.startsWith(value))
    if (!holds)
      throw new S3Error(
        'AccessDenied',
        `Invalid according to Policy: Policy Condition failed: ${JSON.stringify([kind, `$${field}`, value])}`,
      )
  }
  const extra = [...fields.keys()].filter(
    (name) => !FREE.has(name) && !name.startsWith('x-ignore-') && !named.has(name),
  )
  if (extra.length > 0)
    throw new S3Error('AccessDenied', `Invalid according to Policy: Extra input fields: ${extra.join(', ')}`)
}
