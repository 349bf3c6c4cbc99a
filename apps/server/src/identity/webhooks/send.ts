import { WEBHOOK_TIMEOUT, type WebhookFailure } from '@tidenet/contract'
import { FetchFailed, guardedFetch } from '@tidenet/daemon'
import { unseal } from '../../platform/seal.ts'
import { type Context, now } from '../context.ts'
import { signedHeaders } from './signature.ts'

/** Bytes of an answer that are kept. The rest is not read: the status decides. */
const ANSWER_BYTES = 1024

export interface Answer {
  /** Null: none. */
  status: number | null
  failure: WebhookFailure
  answer: string
  tookMs: number
}

interface Message {
  user_id: number
  url: string
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  message_id: string
  body: string
}

/** Encryption of secrets is bound to their account. */
export const secretOwner = (userId: number): string => `webhook of ${userId}`

/**
 * Sends a message once. @throws the signal's reason if it was aborted; Error if the secret cannot be decrypted
 */
export async function sendMessage(
  { config, clock, keys }: Pick<Context, 'config' | 'clock' | 'keys'>,
  message: Message,
  signal?: AbortSignal,
): Promise<Answer> {
  const at = now({ clock })
  const { previous_secret: previous, previous_until: until } = message
  const sealed = [message.secret, ...(previous && until && until > at ? [previous] : [])]
  const secrets = sealed.map((secret) => {
    const plain = unseal(keys.webhook, secret, secretOwner(message.user_id))
    if (!plain) throw new Error('the secret of a webhook cannot be decrypted')
    return plain.toString()
  })
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const { status, headers, body } = await guardedFetch(message.url, {
      post: Buffer.from(message.body),
      // A receiver that resets the connection may have got it: the next try is a delivery of its own, which the owner sees.
      once: true,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tidenet-Webhooks/1',
        ...signedHeaders({ id: message.message_id, at, body: message.body }, secrets),
      },
      most: Number.MAX_SAFE_INTEGER,
      withinMs: WEBHOOK_TIMEOUT,
      privateToo: config.privateWebhooks,
      // Services of this machine may trust what comes from there.
      othersOnly: true,
      manyNames: true,
      // Some servers compress whatever was asked for; it is not shown then.
      encodedToo: true,
      ...(signal && { signal }),
    })
    const parts: Buffer[] = []
    let size = 0
    try {
      for await (const part of body) {
        parts.push(part as Buffer)
        size += (part as Buffer).length
        if (size >= ANSWER_BYTES) break
      }
    } catch {
      // The status has arrived; what is missing of the body does not matter.
      signal?.throwIfAborted()
    }
    body.destroy()
    const readable = (headers['content-encoding'] ?? 'identity') === 'identity'
    const answer = (readable ? Buffer.concat(parts) : Buffer.alloc(0))
      .subarray(0, ANSWER_BYTES)
      .toString()
      .replaceAll('\0', '')
    return { status, failure: '', answer, tookMs: took() }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof FetchFailed)) throw error
    return { status: null, failure: failureOf(error.code), answer: '', tookMs: took() }
  }
}

export const isDelivered = ({ status }: Pick<Answer, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

function failureOf(code: string): WebhookFailure {
  if (code === 'EPRIVATE') return 'private'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name'
  return /CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code) ? 'tls' : 'connection'
}
