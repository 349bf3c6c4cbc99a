/** An event of an account, as the portal sends it. `data` depends on `type`; it may get more fields. */
export interface WebhookEvent {
  /** The same whenever the event is sent again: use it to process each event once. */
  id: string
  type: string
  /** When it happened, RFC 3339. */
  timestamp: string
  data: Record<string, unknown>
}

/** A request that did not come from the portal, was changed, or is too old. Answer it with status 400. */
export class WebhookInvalid extends Error {
  override name = 'WebhookInvalid'
}

type HeaderMap = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const TOLERANCE_MS = 5 * 60 * 1000
/** A request has two signatures while its secret is being replaced. */
const SIGNATURES_MAX = 10
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const TIMESTAMP = /^\d{1,12}$/
const ID = /^[\w-]{1,100}$/

/**
 * Verifies a webhook request (Standard Webhooks) and returns its event. Signatures are compared in constant time.
 * @param secret `whsec_…`, as the portal showed it
 * @param headers of the request, by lower-case names or as `Headers`
 * @param body the bytes of the request as they arrived; parsing and writing JSON again would change them
 * @param options.tolerance how much the clocks may differ, ms; default: five minutes
 * @throws WebhookInvalid
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderMap,
  body: string | Uint8Array,
  { tolerance = TOLERANCE_MS, now = Date.now() }: { tolerance?: number; now?: number } = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature').split(' ').slice(0, SIGNATURES_MAX)
  if (!TIMESTAMP.test(timestamp) || !(Math.abs(now - Number(timestamp) * 1000) <= tolerance))
    throw new WebhookInvalid('the timestamp is missing or not recent')
  // With a dot in the id, other parts of a signed request could pass as its timestamp and body.
  if (!ID.test(id)) throw new WebhookInvalid('the header webhook-id is invalid')
  const key = await importSecret(secret)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  let valid = false
  for (const each of signatures) {
    const signature = each.startsWith('v1,') ? fromBase64(each.slice(3)) : undefined
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) valid = true
  }
  if (!valid) throw new WebhookInvalid('no signature matches')
  const { type, timestamp: at, data } = JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookEvent, 'id'>
  return { id, type, timestamp: at, data }
}

function header(headers: HeaderMap, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookInvalid(`the header ${name} is missing`)
  return value
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(SECRET.exec(secret)?.[1] ?? '')
  if (!bytes || bytes.length === 0) throw new TypeError('the secret must be that of a webhook: whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}
