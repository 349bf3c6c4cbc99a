import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import aws4 from 'aws4'
import { describe, expect, it } from 'vitest'
import { refusalOf as refusalFrom } from './refusal.fixture.ts'
import { EXAMPLE, EXAMPLE_TIME, isAccepted, read, type SentRequest } from './s3.fixture.ts'
import { sign, signingKeyOf, verifySignature } from './signature.ts'

const EMPTY = createHash('sha256').digest('hex')
const MINUTE = 60_000

const exampleOf = (
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
const LIST = exampleOf('/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
const presigned = (changed: Record<string, string | undefined> = {}): SentRequest => {
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
const withHeaders = (request: SentRequest, changed: Record<string, string | undefined>): SentRequest => ({
  ...request,
  headers: Object.entries({ ...request.headers, ...changed }).filter(([, value]) => value !== undefined) as [
    string,
    string,
  ][],
})
const withAuthorization = (value: string) => withHeaders(LIST, { Authorization: value })

const refusalOf = (request: SentRequest, now = EXAMPLE_TIME) => refusalFrom(() => read(request, now))

describe("Amazon's published examples", () => {
  it.each([
    [
      'a header that is not of Amazon',
      exampleOf('/test.txt', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41', {
        Range: 'bytes=0-9',
      }),
    ],
    [
      'a key with a special character, and the header Date',
      exampleOf(
        '/test%24file.text',
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
        {
          Date: 'Fri, 24 May 2013 00:00:00 GMT',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
          'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
        },
        'PUT',
      ),
    ],
    [
      'a parameter without a value',
      exampleOf('/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
    ],
    [
      'the same with an equals sign',
      exampleOf('/?lifecycle=', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
    ],
    ['parameters', LIST],
    ['parameters in another order', { ...LIST, target: '/?prefix=J&max-keys=2' }],
    ['a presigned request', presigned()],
  ])('are accepted: %s', (_, request) => {
    expect(isAccepted(request)).toBe(true)
  })

  it('tell who signed, when and for what', () => {
    expect(read(presigned())).toMatchObject({
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      date: '20130524',
      region: 'us-east-1',
      service: 's3',
      amzDate: '20130524T000000Z',
      expires: 86_400,
      signedHeaders: ['host'],
      payload: 'unsigned',
    })
    expect(read(LIST)).toMatchObject({ payload: { sha256: EMPTY } })
    expect(read(LIST).expires).toBeUndefined()
  })

  it('are wrong with another secret, method, path, parameter or header', () => {
    expect(isAccepted(LIST, EXAMPLE_TIME, 'another secret')).toBe(false)
    expect(isAccepted({ ...LIST, method: 'DELETE' })).toBe(false)
    expect(isAccepted({ ...LIST, target: '/a?max-keys=2&prefix=J' })).toBe(false)
    expect(isAccepted({ ...LIST, target: '/?max-keys=3&prefix=J' })).toBe(false)
    expect(isAccepted({ ...LIST, target: '/?max-keys=2&prefix=J&prefix=K' })).toBe(false)
    expect(isAccepted(withHeaders(LIST, { Host: 'another.s3.amazonaws.com' }))).toBe(false)
    expect(isAccepted(presigned({ 'X-Amz-Expires': '86401' }))).toBe(false)
  })
})

/** Node's hashes as the SDK for JavaScript wants them. */
class Sha256 {
  readonly #hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string)
  }
  update(data: Uint8Array | string) {
    this.#hash.update(data)
  }
  async digest() {
    return new Uint8Array(this.#hash.digest())
  }
  reset() {}
}
const smithy = new SignatureV4({
  service: 's3',
  region: 'eu-1',
  credentials: EXAMPLE,
  sha256: Sha256,
  uriEscapePath: false,
})
const signingDate = new Date(EXAMPLE_TIME)
/** As a request is sent: the names that other signers take as an object. */
const targetOf = (path: string, query: Record<string, string | string[] | null> = {}) => {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values]
      .flat()
      .map((value) =>
        value === null ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      ),
  )
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

const PATHS = [
  '/',
  '/bucket',
  '/bucket/',
  '/bucket//a/./b/../c//',
  '/bucket/%E6%96%87%E4%BB%B6%20%2B%25.txt',
  '/bucket/a%21b%27c%28d%29e%2Af~g-h_i.j',
  '/bucket/%00%7F%F0%9F%98%80',
]
const QUERIES: Record<string, string | string[]>[] = [
  {},
  { uploads: '' },
  { 'list-type': '2', prefix: 'a b+c/文件&=', 'continuation-token': 'x/y==' },
  { a: ['2', '10', '1'], A: '', 'a-b': '', aB: '1' },
]

describe('other signers agree', () => {
  it.each(PATHS)('on the path %s', async (path) => {
    for (const query of QUERIES) {
      const headers = { host: 'localhost:9000', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amz-meta-a': '  a   b ' }
      const request = { method: 'PUT', protocol: 'http:', hostname: 'localhost', port: 9000, path, query, headers }
      const signed = await smithy.sign(request, { signingDate })
      expect(isAccepted({ method: 'PUT', target: targetOf(path, query), headers: signed.headers })).toBe(true)
      const url = await smithy.presign(request, { signingDate, expiresIn: 60 })
      const target = targetOf(path, url.query as typeof query)
      expect(isAccepted({ method: 'PUT', target, headers: url.headers })).toBe(true)
    }
  })

  it('on a request that aws4 signs in header or query', () => {
    for (const signQuery of [false, true]) {
      const request = aws4.sign(
        {
          service: 's3',
          region: 'eu-1',
          method: 'GET',
          host: 'localhost',
          path: `/bucket/a%20b//c?prefix=x%2By&uploads${signQuery ? '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=60' : ''}`,
          headers: signQuery ? {} : { 'X-Amz-Date': '20130524T000000Z', 'X-Amz-Meta-Note': 'a' },
          signQuery,
        },
        EXAMPLE,
      )
      const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, String(value)] as const)
      expect(isAccepted({ method: 'GET', target: request.path!, headers })).toBe(true)
    }
  })

  it('on a presigned upload with a checksum in its query', async () => {
    const url = await smithy.presign(
      {
        method: 'PUT',
        protocol: 'http:',
        hostname: 'localhost',
        path: '/bucket/key',
        query: { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-sdk-checksum-algorithm': 'CRC32', 'x-id': 'PutObject' },
        headers: { host: 'localhost', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      },
      { signingDate, expiresIn: 60 },
    )
    const request = { method: 'PUT', target: targetOf('/bucket/key', url.query as Record<string, string>) }
    // The program that sends it adds headers of its own.
    const headers = { Host: 'localhost', 'Content-Length': '3', 'Content-Type': 'text/plain', Expect: '100-continue' }
    expect(isAccepted({ ...request, headers })).toBe(true)
  })

  it('on headers that came twice', async () => {
    const twice = {
      ...LIST,
      headers: [...Object.entries(LIST.headers), ['x-amz-meta-a', '1'], ['X-Amz-Meta-A', ' 2  3 ']],
    }
    const signedHeaders = 'host;x-amz-content-sha256;x-amz-date;x-amz-meta-a'
    const authorize = (signature: string): SentRequest => ({
      ...twice,
      headers: (twice.headers as [string, string][]).map(([name, value]) =>
        name === 'Authorization'
          ? [
              name,
              `AWS4-HMAC-SHA256 Credential=${EXAMPLE.accessKeyId}/20130524/eu-1/s3/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`,
            ]
          : [name, value],
      ),
    })
    const signed = await smithy.sign(
      {
        method: 'GET',
        protocol: 'https:',
        hostname: 'h',
        path: '/',
        query: { 'max-keys': '2', prefix: 'J' },
        headers: { host: 'examplebucket.s3.amazonaws.com', 'x-amz-content-sha256': EMPTY, 'x-amz-meta-a': '1,2 3' },
      },
      { signingDate },
    )
    const [, signature] = /Signature=(\w+)/.exec(signed.headers.authorization!) ?? []
    expect(isAccepted(authorize(signature!))).toBe(true)
  })
})

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

describe('what a signature says about the body', () => {
  it.each([
    ['UNSIGNED-PAYLOAD', 'unsigned'],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'streaming-signed'],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', 'streaming-signed-trailer'],
    ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', 'streaming-unsigned-trailer'],
    [EMPTY.toUpperCase(), { sha256: EMPTY }],
  ])('%s', (value, payload) => {
    expect(read(withHeaders(LIST, { 'x-amz-content-sha256': value })).payload).toEqual(payload)
    expect(read(presigned({ 'X-Amz-Content-Sha256': value })).payload).toEqual(payload)
  })

  it('is required in headers, and one of these', () => {
    const codeOf = (value: string | undefined) => refusalOf(withHeaders(LIST, { 'x-amz-content-sha256': value })).code
    expect(codeOf(undefined)).toBe('InvalidRequest')
    expect(codeOf('constructor')).toBe('InvalidArgument')
    expect(codeOf(EMPTY.slice(1))).toBe('InvalidArgument')
    expect(codeOf('STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD')).toBe('NotImplemented')
  })
})

describe('a signature', () => {
  it('is compared as a whole', () => {
    const key = signingKeyOf('secret', { date: '20130524', region: 'eu-1', service: 's3' })
    const signature = sign(key, 'text')
    expect(verifySignature(key, 'text', signature)).toBe(true)
    for (const other of [
      '',
      signature.slice(2),
      `${signature}00`,
      `${signature.slice(0, 63)}x`,
      signature.replace(/./, 'g'),
    ])
      expect(verifySignature(key, 'text', other)).toBe(false)
  })
})

describe('refused', () => {
  const { Authorization: header } = LIST.headers as { Authorization: string }

  it('is a request without a signature, or with two', () => {
    expect(refusalOf(withHeaders(LIST, { Authorization: undefined })).code).toBe('AccessDenied')
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
