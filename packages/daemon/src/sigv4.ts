import { createHmac } from 'node:crypto'

/** The end of every credential scope: `{date}/{region}/s3/aws4_request`. */
const SERVICE = 's3'
const TERMINATOR = 'aws4_request'

export type Scope = { date: string; region: string }

const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()

/** `20260131/us-east-1/s3/aws4_request`. */
export const scopeText = ({ date, region }: Scope): string => `${date}/${region}/${SERVICE}/${TERMINATOR}`

/**
 * The key with which S3 requests of a day and region are signed (AWS Signature Version 4). 32 bytes.
 * @param date `20260131`, UTC
 */
export const signingKey = (secret: string, date: string, region: string): Buffer =>
  hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), SERVICE), TERMINATOR)

/** The signature of a string to sign. 32 bytes; S3 clients send them as 64 lower-case hexadecimal digits. */
export const signatureOf = (key: Uint8Array, stringToSign: string): Buffer => hmac(key, stringToSign)

/**
 * What a gateway sends to `s3Access.session`. 32 bytes. It is made with the secret itself, which signs nothing in S3, and of a text that
 * nothing in S3 begins with: neither can be presented as the other.
 * @param at unix time in seconds
 */
export const sessionProof = (secret: string, accessKeyId: string, at: number): Buffer =>
  hmac(secret, `tidenet-s3-session\n${accessKeyId}\n${at}`)
