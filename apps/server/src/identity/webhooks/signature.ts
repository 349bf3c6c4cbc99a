import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A new secret, as Standard Webhooks writes it. */
export const createSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

/** The headers of Standard Webhooks, with a signature by each secret. */
export function signedHeaders(
  message: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000))
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${message.id}.${timestamp}.${message.body}`)
      .digest('base64')}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
