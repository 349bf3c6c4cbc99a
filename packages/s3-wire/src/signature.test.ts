import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import aws4 from 'aws4'
import { describe, expect, it } from 'vitest'
import { refusalOf as refusalFrom } from './refusal.fixture.ts'
import { EXAMPLE, EXAMPLE_TIME, isAccepted, read, type SentRequest } from './s3.fixture.ts'
import { sign, signingKeyOf, verifySignature } from './signature.ts'
import { EMPTY, exampleOf, LIST, presigned, withHeaders } from './signed-requests.fixture.ts'

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
