import { S3Error } from './errors.ts'
import { writeXml } from './xml.ts'
import { fieldsOf, leafText, malformed, readRoot } from './xml-fields.ts'

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD']
const RULES_MAX = 100

export interface CorsRule {
  id?: string | undefined
  /** With at most one `*` each. */
  allowedOrigins: string[]
  allowedMethods: string[]
  /** With at most one `*` each. */
  allowedHeaders: string[]
  exposeHeaders: string[]
  maxAgeSeconds?: number | undefined
}

/**
 * The body of PutBucketCors.
 * @throws S3Error MalformedXML, InvalidRequest
 */
export function readCors(body: Uint8Array): CorsRule[] {
  const elements = readRoot(body, 'CORSConfiguration', ['CORSRule']).all('CORSRule')
  if (elements.length === 0 || elements.length > RULES_MAX) throw malformed()
  return elements.map((element) => {
    const rule = fieldsOf(element, [
      'ID',
      'AllowedOrigin',
      'AllowedMethod',
      'AllowedHeader',
      'ExposeHeader',
      'MaxAgeSeconds',
    ])
    const words = (name: string) => rule.all(name).map((child) => leafText(child).trim())
    const [allowedOrigins, allowedMethods, allowedHeaders, exposeHeaders] = [
      words('AllowedOrigin'),
      words('AllowedMethod'),
      words('AllowedHeader'),
      words('ExposeHeader'),
    ]
    if (allowedOrigins.length === 0 || allowedMethods.length === 0) throw malformed()
    const unsupported = allowedMethods.find((method) => !METHODS.includes(method))
    if (unsupported !== undefined)
      throw new S3Error(
        'InvalidRequest',
        `Found unsupported HTTP method in CORS config. Unsupported method is ${unsupported}`,
      )
    if ([...allowedOrigins, ...allowedHeaders].some((pattern) => pattern.split('*').length > 2))
      throw new S3Error('InvalidRequest', 'AllowedOrigin and AllowedHeader can not have more than one wildcard.')
    // They become headers of answers.
    if (![...allowedHeaders, ...exposeHeaders].every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)))
      throw new S3Error('InvalidRequest', 'A header name in the CORS config is not valid.')
    const id = rule.text('ID')
    const maxAgeSeconds = rule.integer('MaxAgeSeconds')
    return {
      ...(id !== undefined && { id }),
      allowedOrigins,
      allowedMethods,
      allowedHeaders,
      exposeHeaders,
      ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    }
  })
}

export const corsXml = (rules: readonly CorsRule[]): string =>
  writeXml([
    'CORSConfiguration',
    rules.map((rule) => [
      'CORSRule',
      [
        ['ID', rule.id],
        ...rule.allowedOrigins.map((origin) => ['AllowedOrigin', origin] as const),
        ...rule.allowedMethods.map((method) => ['AllowedMethod', method] as const),
        ...rule.allowedHeaders.map((header) => ['AllowedHeader', header] as const),
        ...rule.exposeHeaders.map((header) => ['ExposeHeader', header] as const),
        ['MaxAgeSeconds', rule.maxAgeSeconds],
      ],
    ]),
  ])

/**
 * The headers of an answer to another origin, by the first rule that fits.
 * @param request `headers` are those that a preflight asks for
 * @returns undefined if no rule fits
 */
export function corsHeaders(
  rules: readonly CorsRule[],
  request: { origin: string; method: string; headers: readonly string[] },
): Record<string, string> | undefined {
  const names = new Set(request.headers.map((name) => name.toLowerCase()))
  const rule = rules.find(
    ({ allowedOrigins, allowedMethods, allowedHeaders }) =>
      allowedMethods.includes(request.method) &&
      allowedOrigins.some((pattern) => matches(pattern, request.origin)) &&
      [...names].every(matcherOf(allowedHeaders)),
  )
  if (!rule) return undefined
  const isForAll = rule.allowedOrigins.includes('*')
  return {
    'access-control-allow-origin': isForAll ? '*' : request.origin,
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(request.headers.length > 0 && { 'access-control-allow-headers': request.headers.join(', ') }),
    ...(rule.exposeHeaders.length > 0 && { 'access-control-expose-headers': rule.exposeHeaders.join(', ') }),
    ...(rule.maxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
    ...(!isForAll && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  }
}

/** Anybody can ask for many names, of rules that have many: each pattern is read once. @returns a test of names in lower case */
function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const all = patterns.map((pattern) => pattern.toLowerCase())
  const exact = new Set(all)
  const open = all.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*') as [string, string])
  return (name) => exact.has(name) || open.some((parts) => isBetween(parts, name))
}

function isBetween([start, end]: readonly [string, string], text: string): boolean {
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end)
}

function matches(pattern: string, text: string): boolean {
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return text === pattern
  return isBetween([start, end], text)
}
