import { createHash } from 'node:crypto'
import type { SentRequest } from './s3.fixture.ts'

export const EMPTY = createHash('sha256').digest('hex')

export const exampleOf = (
  target: string,
  signature: string,
  more: Record<string, string> = {},
  method = 'GET',
): SentRequest => {
  const headers: Record<string, string> = {
    Host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': EMPTY,
    'x-amz-date': '20130524T000000Z',
    ...more,
  }
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  return {
    method,
    target,
    headers: {
      ...headers,
      Authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names.sort().join(';')},Signature=${signature}`,
    },
  }
}
export const LIST = exampleOf(
  '/?max-keys=2&prefix=J',
  '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
)
export const presigned = (changed: Record<string, string | undefined> = {}): SentRequest => {
  const query = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ...changed,
  }
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][]
  return {
    method: 'GET',
    target: `/test.txt?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`,
    headers: { host: 'examplebucket.s3.amazonaws.com' },
  }
}
/** The same request with other headers; a value of undefined removes one. */
export const withHeaders = (request: SentRequest, changed: Record<string, string | undefined>): SentRequest => ({
  ...request,
  headers: Object.entries({ ...request.headers, ...changed }).filter(([, value]) => value !== undefined) as [
    string,
    string,
  ][],
})
export const withAuthorization = (value: string) => withHeaders(LIST, { Authorization: value })
