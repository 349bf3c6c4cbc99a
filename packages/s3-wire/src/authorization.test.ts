import { describe, expect, it } from 'vitest'
import { refusalOf as refusalFrom } from './refusal.fixture.ts'
import { EXAMPLE_TIME, isAccepted, read, type SentRequest } from './s3.fixture.ts'
import { LIST, presigned, withAuthorization, withHeaders } from './signed-requests.fixture.ts'

const MINUTE = 60_000
const refusalOf = (request: SentRequest, now = EXAMPLE_TIME) => refusalFrom(() => read(request, now))

describe('the time of a request', () => {
  it('is at most 15 minutes away, either way', () => {
    for (const skew of [-15 * MINUTE, 15 * MINUTE]) expect(isAccepted(LIST, EXAMPLE_TIME + skew)).toBe(true)
    for (const skew of [-15 * MINUTE - 1, 15 * MINUTE + 1])
      expect(refusalOf(LIST, EXAMPLE_TIME + skew).code).toBe('RequestTimeTooSkewed')
  })

  it('is the header Date if there is no other', () => {
    const byDate = withHeaders(LIST, {
      'x-amz-date': undefined,
      Date: 'Fri, 24 May 2013 00:00:00 GMT',
      Authorization: String((LIST.headers as Record<string, string>).Authorization).replace('x-amz-date', 'x-b'),
    })
    expect(read(byDate).amzDate).toBe('20130524T000000Z')
    expect(refusalOf(withHeaders(byDate, { Date: 'tomorrow' })).code).toBe('AccessDenied')
    expect(refusalOf(withHeaders(byDate, { Date: undefined })).code).toBe('AccessDenied')
  })

  it('ends a presigned request after its seconds', () => {
    const end = EXAMPLE_TIME + 86_400_000
    expect(isAccepted(presigned(), end)).toBe(true)
    expect(isAccepted(presigned(), EXAMPLE_TIME - 15 * MINUTE)).toBe(true)
    expect(refusalOf(presigned(), end + 1)).toMatchObject({
      code: 'AccessDenied',
      details: { Expires: '2013-05-25T00:00:00Z' },
    })
    expect(refusalOf(presigned(), EXAMPLE_TIME - 15 * MINUTE - 1).code).toBe('AccessDenied')
  })

  it('is a day that exists, the one of the credential', () => {
    const code = 'AuthorizationHeaderMalformed'
    for (const date of ['20130525T000000Z', '20130230T000000Z', '2013-05-24T00:00:00Z', ''])
      expect(refusalOf(withHeaders(LIST, { 'x-amz-date': date })).code).toBe(code)
    const presignedCode = 'AuthorizationQueryParametersError'
    for (const changed of [{ 'X-Amz-Date': '20130525T000000Z' }, { 'X-Amz-Date': undefined }])
      expect(refusalOf(presigned(changed)).code).toBe(presignedCode)
    for (const expires of [undefined, '', '-1', '1e3', '604801', '9999999'])
      expect(refusalOf(presigned({ 'X-Amz-Expires': expires })).code).toBe(presignedCode)
  })
})

describe('refused', () => {
  const { Authorization: header } = LIST.headers as { Authorization: string }

  it('is a request without a signature, or with two', () => {
    expect(refusalOf(withHeaders(LIST, { Authorization: undefined }))).toMatchObject({
      code: 'AccessDenied',
      message: expect.stringContaining('presigned URL'),
    })
    expect(refusalOf(withHeaders(presigned(), { Authorization: header })).code).toBe('InvalidArgument')
  })

  it('is an unsigned header that says what to do', () => {
    for (const name of ['x-amz-acl', 'X-Amz-Meta-Owner', 'x-amz-copy-source'])
      for (const request of [LIST, presigned()])
        expect(refusalOf(withHeaders(request, { [name]: 'a' }))).toMatchObject({
          code: 'AccessDenied',
          details: { HeadersNotSigned: name.toLowerCase() },
        })
  })

  it('is Signature Version 2 and 4A, with advice', () => {
    for (const request of [
      withAuthorization('AWS AKIAIOSFODNN7EXAMPLE:frJIUN8DYpKDtOLCwo//yllqDzg='),
      withAuthorization(header.replace('AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256')),
      { ...presigned(), target: '/a?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Expires=1&Signature=a%3D' },
      presigned({ 'X-Amz-Algorithm': 'AWS4-ECDSA-P256-SHA256' }),
    ]) {
      const refusal = refusalOf(request)
      expect(refusal.code).toBe('InvalidRequest')
      expect(refusal.message).toContain('s3v4')
    }
  })

  it('is a session token, because there are none', () => {
    expect(refusalOf(withHeaders(LIST, { 'x-amz-security-token': 'a' })).code).toBe('InvalidToken')
    expect(refusalOf(presigned({ 'X-Amz-Security-Token': 'a' })).code).toBe('InvalidToken')
  })

  it.each([
    ['another scheme', 'Basic YTpi', 'InvalidArgument'],
    ['a field that came twice', `${header},Signature=${'0'.repeat(64)}`, undefined],
    ['a missing field', header.replace(/,Signature.*/, ''), undefined],
    ['an unknown field', `${header},Other=1`, undefined],
    ['a short credential', header.replace('/us-east-1', ''), undefined],
    ['another service', header.replace('/s3/', '/iam/'), undefined],
    ['another end of the scope', header.replace('aws4_request', 'aws5_request'), undefined],
    ['an access key with odd characters', header.replace('AKIA', "AK'IA"), undefined],
    ['a signature that is not hexadecimal', header.replace(/Signature=../, 'Signature=zz'), undefined],
    ['a short signature', header.slice(0, -1), undefined],
    ['no host among the headers', header.replace('host;', ''), undefined],
    ['headers in another order', header.replace('host;x-amz-content-sha256', 'x-amz-content-sha256;host'), undefined],
    ['headers that came twice', header.replace('host;', 'host;host;'), undefined],
    ['nothing signed', header.replace(/SignedHeaders=[^,]*/, 'SignedHeaders='), undefined],
  ])('is an authorization with %s', (_, value, code = 'AuthorizationHeaderMalformed') => {
    expect(refusalOf(withAuthorization(value)).code).toBe(code)
  })

  it('is a message that proxies could read in another way', () => {
    const again = (...more: [string, string][]): SentRequest => ({
      ...LIST,
      headers: [...(Object.entries(LIST.headers) as [string, string][]), ...more],
    })
    for (const name of ['authorization', 'HOST', 'x-amz-date', 'X-Amz-Content-SHA256'])
      expect(refusalOf(again([name, 'a'])).code).toBe('InvalidRequest')
    for (const twice of [
      again(['Content-Length', '1'], ['content-length', '1']),
      again(['Content-Length', '1'], ['Transfer-Encoding', 'chunked']),
      again(['Transfer-Encoding', 'chunked'], ['Transfer-Encoding', 'chunked']),
      again(['Content-Length', '1, 1']),
      again(['Content-Length', '-1']),
      again(['Content-Type', 'a\r\nHost: b']),
    ])
      expect(refusalOf(twice).code).toBe('InvalidRequest')
  })

  it('is a target that cannot be parsed', () => {
    for (const target of ['', 'http://other/bucket', '*', '/a#b', '/a%', '/a%g0', '/a?b=%', '/a?%ff=1'])
      expect(refusalOf({ ...LIST, target }).code).toBe('InvalidURI')
  })
})
