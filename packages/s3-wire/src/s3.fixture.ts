import { readHeaders, readTarget } from './request.ts'
import { readSignature, type SignedRequest, signingKeyOf, verifySignature } from './signature.ts'

/** The credentials of Amazon's published examples. */
export const EXAMPLE = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
export const EXAMPLE_TIME = Date.parse('2013-05-24T00:00:00Z')
export const EXAMPLE_SCOPE = { date: '20130524', region: 'us-east-1', service: 's3' } as const

export interface SentRequest {
  method: string
  target: string
  headers: Record<string, string> | readonly (readonly [string, string])[]
}

const rawHeadersOf = (headers: SentRequest['headers']) =>
  (Array.isArray(headers) ? headers : Object.entries(headers)).flat() as string[]

/** What the gateway reads from a request. */
export const read = ({ method, target, headers }: SentRequest, now = EXAMPLE_TIME): SignedRequest =>
  readSignature({ method, target: readTarget(target), headers: readHeaders(rawHeadersOf(headers)) }, now)

/** Whether the gateway takes the request as signed with the secret. */
export function isAccepted(request: SentRequest, now = EXAMPLE_TIME, secret = EXAMPLE.secretAccessKey): boolean {
  const signed = read(request, now)
  return verifySignature(signingKeyOf(secret, signed), signed.stringToSign, signed.signature)
}
