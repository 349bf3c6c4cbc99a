import { z } from 'zod'
import { expects } from '../input-hints.ts'
import { route } from '../route.ts'

/** Any text, because an unknown id and a wrong signature have the same answer. */
const accessKeyId = z.string().min(1).max(128)
const hex64 = z.string().regex(/^[0-9a-f]{64}$/, expects('hex64'))
/** An API token: sent as an API key, in the header apiKey. It ends when the key does, and never later than this. */
const token = z.string()
const expiresIn = z.number()

/** What proves that a caller of an S3 gateway has the secret of an access key. */
export const s3Access = {
  /** The answer is for this address only: a gateway that remembers it does so for each `ip`. */
  verify: route({
    method: 'POST',
    path: '/api/v1/s3/verify',
    auth: 'gateway',
    repeatable: true,
    input: z.object({
      access_key_id: accessKeyId,
      /** The first two parts of the credential's scope. A URL can be presigned for seven days. */
      date: z.string().regex(/^\d{8}$/, expects('scopeDate')),
      region: z.string().regex(/^[\w.-]{1,64}$/, expects('scopeRegion')),
      /** That of Signature Version 4, or the policy of a form, in base64. */
      string_to_sign: z.string().min(1).max(65_536),
      signature: hex64,
      /** The client's address. The key's list of addresses applies to it; a key with a list is refused without. */
      ip: z.string().max(64).default(''),
    }),
    output: z.object({
      token,
      /** The signing key of the date, the region and the service s3, as 64 hexadecimal digits. */
      signing_key: z.string(),
      /** Seconds. */
      expires_in: expiresIn,
    }),
    errors: ['s3Signature', 's3Clock', 's3KeyEnded', 'keyAddress'],
    summary: 'For S3 gateways of the operator: exchanges the signature of an S3 request for an API token',
  }),
  session: route({
    method: 'POST',
    path: '/api/v1/s3/session',
    auth: 'public',
    repeatable: true,
    limit: 60,
    input: z.object({
      access_key_id: accessKeyId,
      /** Unix time in seconds. */
      at: z.number().int().min(0).max(99_999_999_999),
      /** HMAC-SHA256 with the secret, of `tidenet-s3-session\n{access_key_id}\n{at}`, as 64 hexadecimal digits. */
      proof: hex64,
    }),
    output: z.object({ token, expires_in: expiresIn }),
    errors: ['s3Signature', 's3Clock', 's3KeyEnded', 'keyAddress'],
    summary: 'Exchanges a proof of the secret of an S3 access key for an API token, which works for 15 minutes',
  }),
}
