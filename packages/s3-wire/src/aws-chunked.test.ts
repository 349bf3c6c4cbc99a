import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeAwsChunked, HELD_BYTES_MAX, readChunkedBody, SIGNED_CHUNK_BYTES_MIN } from './aws-chunked.ts'
import { S3Error } from './errors.ts'
import { codeOf } from './refusal.fixture.ts'
import { readHeaders } from './request.ts'
import { EXAMPLE, EXAMPLE_SCOPE, isAccepted, read, type SentRequest } from './s3.fixture.ts'
import { type Payload, type SignedRequest, sign, signingKeyOf } from './signature.ts'

const KEY = signingKeyOf(EXAMPLE.secretAccessKey, EXAMPLE_SCOPE)
const SEED = '0'.repeat(64)
const CRC = 'x-amz-checksum-crc32c'

const requestOf = (payload: Payload, signature = SEED) =>
  ({ ...EXAMPLE_SCOPE, amzDate: '20130524T000000Z', payload, signature }) as SignedRequest
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const lines = (...parts: string[]) => ['20130524T000000Z', '20130524/us-east-1/s3/aws4_request', ...parts].join('\n')

/** Frames a body as clients do. */
function frame(chunks: readonly Buffer[], { isSigned = true, trailers = '', isTrailerSigned = false } = {}): Buffer {
  let previous = SEED
  const parts: Buffer[] = []
  for (const chunk of [...chunks, Buffer.alloc(0)]) {
    if (isSigned) previous = sign(KEY, `AWS4-HMAC-SHA256-PAYLOAD\n${lines(previous, sha256(''), sha256(chunk))}`)
    const signature = isSigned ? `;chunk-signature=${previous}` : ''
    parts.push(Buffer.from(`${chunk.length.toString(16)}${signature}\r\n`), chunk)
    if (chunk.length > 0) parts.push(Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(trailers.replace(/\n/g, '\r\n')))
  if (isTrailerSigned) {
    const signature = sign(KEY, `AWS4-HMAC-SHA256-TRAILER\n${lines(previous, sha256(trailers))}`)
    parts.push(Buffer.from(`x-amz-trailer-signature:${signature}\r\n`))
  }
  return Buffer.concat([...parts, Buffer.from('\r\n')])
}

async function* inParts(body: Uint8Array, size: number) {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

interface Case {
  payload?: Payload
  length: number
  trailerNames?: string[]
  partSize?: number
}
/** What is passed on, piece by piece, until the end or the refusal. */
async function decode(
  framed: Buffer,
  { payload = 'streaming-signed', length, trailerNames = [], partSize = 65_536 }: Case,
) {
  const chunked = { request: requestOf(payload), decodedLength: length, trailerNames }
  const { body, trailers } = decodeAwsChunked(inParts(framed, partSize), chunked, KEY)
  const pieces: Buffer[] = []
  try {
    for await (const piece of body) pieces.push(piece)
  } catch (error) {
    if (error instanceof S3Error) return { pieces, code: error.code }
    throw error
  }
  return { pieces, content: sha256(Buffer.concat(pieces)), trailers: Object.fromEntries(trailers) }
}
const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251))

describe("Amazon's published examples", () => {
  const content = sha256(Buffer.alloc(66_560, 'a'))
  const exampleOf = (payload: string, signature: string, more: Record<string, string>): SentRequest => {
    const headers: Record<string, string> = {
      host: 's3.amazonaws.com',
      'x-amz-date': '20130524T000000Z',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': payload,
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': '66560',
      ...more,
    }
    const signedHeaders = Object.keys(headers).sort().join(';')
    return {
      method: 'PUT',
      target: '/examplebucket/chunkObject.txt',
      headers: {
        ...headers,
        authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${signature}`,
      },
    }
  }
  const framed = ([first, second, last]: readonly string[], end: string) =>
    Buffer.from(
      `10000;chunk-signature=${first}\r\n${'a'.repeat(65_536)}\r\n400;chunk-signature=${second}\r\n${'a'.repeat(1024)}\r\n0;chunk-signature=${last}\r\n${end}`,
    )
  async function upload(request: SentRequest, body: Buffer) {
    const chunked = readChunkedBody(readHeaders(Object.entries(request.headers).flat()), read(request))
    const decoder = decodeAwsChunked(inParts(body, 1000), chunked, KEY)
    const pieces: Buffer[] = []
    for await (const piece of decoder.body) pieces.push(piece)
    return { content: sha256(Buffer.concat(pieces)), trailers: Object.fromEntries(decoder.trailers) }
  }

  it('are accepted: signed chunks', async () => {
    const request = exampleOf(
      'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
      { 'content-length': '66824' },
    )
    expect(isAccepted(request)).toBe(true)
    const signatures = [
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ]
    expect(await upload(request, framed(signatures, '\r\n'))).toEqual({ content, trailers: {} })
  })

  it('are accepted: signed chunks with a signed trailer', async () => {
    const request = exampleOf(
      'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
      { 'x-amz-trailer': CRC },
    )
    expect(isAccepted(request)).toBe(true)
    const signatures = [
      'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
      '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
      '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
    ]
    const signature = 'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n'
    const accepted = { content, trailers: { [CRC]: 'sOO8/Q==' } }
    expect(await upload(request, framed(signatures, `${CRC}:sOO8/Q==\r\n${signature}`))).toEqual(accepted)
    // As minio-go writes it.
    expect(await upload(request, framed(signatures, `${CRC}:sOO8/Q==\n\r\n${signature}`))).toEqual(accepted)
  })
})

describe('a body', () => {
  const CHUNKS = [bytes(SIGNED_CHUNK_BYTES_MIN), bytes(10_000), bytes(3)]
  const length = SIGNED_CHUNK_BYTES_MIN + 10_003

  it.each([1, 2, 7, 8192, 65_536])('is the same in parts of %i bytes', async (partSize) => {
    const content = sha256(Buffer.concat(CHUNKS))
    expect(await decode(frame(CHUNKS), { length, partSize })).toMatchObject({ content, trailers: {} })
    const trailers = `${CRC}:sOO8/Q==\n`
    const signed = frame(CHUNKS, { trailers, isTrailerSigned: true })
    const trailerNames = [CRC]
    const expected = { content, trailers: { [CRC]: 'sOO8/Q==' } }
    expect(await decode(signed, { payload: 'streaming-signed-trailer', length, trailerNames, partSize })).toMatchObject(
      expected,
    )
    const unsigned = frame(CHUNKS, { isSigned: false, trailers })
    expect(
      await decode(unsigned, { payload: 'streaming-unsigned-trailer', length, trailerNames, partSize }),
    ).toMatchObject(expected)
  })

  it('can be empty', async () => {
    expect(await decode(frame([]), { length: 0 })).toMatchObject({ content: sha256('') })
    expect(await decode(Buffer.from('0\r\n\r\n'), { payload: 'streaming-unsigned-trailer', length: 0 })).toMatchObject({
      content: sha256(''),
    })
  })

  it('may have one line end too many', async () => {
    const end = Buffer.from('\r\n')
    expect(await decode(Buffer.concat([frame(CHUNKS), end]), { length })).toMatchObject({
      content: sha256(Buffer.concat(CHUNKS)),
    })
    expect(await decode(Buffer.concat([frame(CHUNKS), end, end]), { length })).toMatchObject({ code: 'IncompleteBody' })
  })

  it('of tiny unsigned chunks comes in as many pieces as it arrives', async () => {
    const chunks = Array.from({ length: 5000 }, () => Buffer.from('a'))
    const decoded = await decode(frame(chunks, { isSigned: false }), {
      payload: 'streaming-unsigned-trailer',
      length: 5000,
    })
    expect(decoded.pieces.map(({ length }) => length)).toEqual([5000])
  })

  it('is never passed on before its chunk was verified, nor the end of a large chunk', async () => {
    const small = bytes(HELD_BYTES_MAX)
    const changed = frame([small])
    changed[changed.length - 200]! ^= 1
    expect(await decode(changed, { length: small.length })).toEqual({ pieces: [], code: 'SignatureDoesNotMatch' })

    const large = Buffer.alloc(3 * HELD_BYTES_MAX, 'a')
    expect(await decode(frame([large]), { length: large.length })).toMatchObject({ content: sha256(large) })
    const changedLarge = frame([large])
    changedLarge[changedLarge.length - 200]! ^= 1
    const { pieces, code } = await decode(changedLarge, { length: large.length })
    expect(code).toBe('SignatureDoesNotMatch')
    expect(pieces.reduce((sum, piece) => sum + piece.length, 0)).toBe(2 * HELD_BYTES_MAX)
  })
})

describe('refused', () => {
  const chunk = bytes(SIGNED_CHUNK_BYTES_MIN)
  const signed = { length: chunk.length }
  const unsigned = { payload: 'streaming-unsigned-trailer' as const, length: 3 }
  const refusal = async (framed: string | Buffer, options: Case) =>
    (await decode(Buffer.from(framed), options)).code ?? 'accepted'

  it('is a body that ends anywhere before its end', async () => {
    const whole = frame([chunk])
    for (const end of [0, 1, 50, 90, 5000, chunk.length + 85, chunk.length + 88, whole.length - 3, whole.length - 1])
      expect(await refusal(whole.subarray(0, end), signed)).toBe('IncompleteBody')
  })

  it('is a changed byte, a chunk left out, repeated or of another request', async () => {
    const other = Buffer.from(chunk).reverse()
    const [one, two] = [frame([chunk]), frame([chunk, other])]
    const both = { length: 2 * chunk.length }
    const size = chunk.length + `2000;chunk-signature=${SEED}\r\n\r\n`.length
    const [first, second, end] = [two.subarray(0, size), two.subarray(size, 2 * size), two.subarray(2 * size)]
    expect(await refusal(Buffer.concat([first, second, end]), both)).toBe('accepted')
    for (const body of [
      [first, first, end],
      [second, first, end],
      [first, second, one.subarray(size)],
      [one, second, end],
    ])
      expect(await refusal(Buffer.concat(body), both)).toMatch(/SignatureDoesNotMatch|IncompleteBody/)
    expect(await refusal(Buffer.concat([first, end]), signed)).toBe('SignatureDoesNotMatch')
    for (const at of [30, 5000]) {
      const changed = Buffer.from(one)
      changed.write(changed[at] === 0x30 ? '1' : '0', at)
      expect(await refusal(changed, signed)).toBe('SignatureDoesNotMatch')
    }
  })

  it('is a length that differs from what was announced', async () => {
    for (const length of [chunk.length - 1, chunk.length + 1])
      expect(await refusal(frame([chunk]), { length })).toBe('IncompleteBody')
    expect(await refusal('4\r\nabcd\r\n0\r\n\r\n', unsigned)).toBe('IncompleteBody')
    expect(await refusal('fffffffffffff\r\nabc', unsigned)).toBe('IncompleteBody')
  })

  it.each([
    ['is not hexadecimal', 'x\r\nabc\r\n0\r\n\r\n'],
    ['has a sign', '+3\r\nabc\r\n0\r\n\r\n'],
    ['is 0x', '0x3\r\nabc\r\n0\r\n\r\n'],
    ['is empty', '\r\nabc\r\n0\r\n\r\n'],
    ['has spaces', ' 3\r\nabc\r\n0\r\n\r\n'],
    ['has an extension', '3;a=b\r\nabc\r\n0\r\n\r\n'],
    ['has 14 digits', '00000000000003\r\nabc\r\n0\r\n\r\n'],
    ['ends with a line feed alone', '3\nabc\r\n0\r\n\r\n'],
    ['does not end', '3'.repeat(100_000)],
    ['comes too early', '3\r\nab\r\n0\r\n\r\n'],
    ['comes too late', '3\r\nabcd\r\n0\r\n\r\n'],
  ])('is a chunk whose size %s', async (_, framed) => {
    expect(await refusal(framed, unsigned)).toBe('IncompleteBody')
  })

  it('is a chunk without signature where they are signed, and the other way round', async () => {
    expect(await refusal(frame([chunk], { isSigned: false }), signed)).toBe('IncompleteBody')
    expect(await refusal(frame([chunk]), { ...unsigned, ...signed })).toBe('IncompleteBody')
  })

  it('is a small signed chunk that is not the last', async () => {
    expect(await refusal(frame([bytes(8191), bytes(9)]), { length: 8200 })).toBe('InvalidChunkSizeError')
  })

  it.each([
    ['that was not announced', 'a:b\r\n\r\n', []],
    ['that is missing', '\r\n', [CRC]],
    ['that came twice', `${CRC}:a\r\n${CRC}:a\r\n\r\n`, [CRC]],
    ['without a colon', `${CRC}\r\n\r\n`, [CRC]],
    ['without end', `${CRC}:${'a'.repeat(100_000)}`, [CRC]],
    ['with a signature where none is due', `${CRC}:a\r\nx-amz-trailer-signature:${SEED}\r\n\r\n`, [CRC]],
  ])('is a trailer %s', async (_, trailers, trailerNames) => {
    expect(await refusal(`3\r\nabc\r\n0\r\n${trailers}`, { ...unsigned, trailerNames })).toBe('MalformedTrailerError')
  })

  it('is a signed trailer with another value, no signature, or more after it', async () => {
    const payload = 'streaming-signed-trailer' as const
    const options = { ...signed, payload, trailerNames: [CRC] }
    const whole = frame([chunk], { trailers: `${CRC}:sOO8/Q==\n`, isTrailerSigned: true }).toString('latin1')
    const refusalTo = (text: string) => refusal(Buffer.from(text, 'latin1'), options)
    expect(await refusalTo(whole)).toBe('accepted')
    expect(await refusalTo(whole.replace('sOO8', 'sOO9'))).toBe('SignatureDoesNotMatch')
    expect(await refusalTo(whole.replace(/x-amz-trailer-signature.*\r\n/, ''))).toMatch(/Malformed|Incomplete/)
    expect(await refusalTo(whole.replace(/x-amz-trailer-signature.*\r\n/, '\r\n'))).toBe('MalformedTrailerError')
    expect(await refusalTo(whole.replace(/\r\n$/, `${CRC}:sOO8/Q==\r\n\r\n`))).toBe('MalformedTrailerError')
    expect(await refusalTo(whole.replace(/(trailer-signature:).{64}/, '$1zz'))).toBe('MalformedTrailerError')
    expect(await refusal(frame([chunk]), { ...signed, payload })).toMatch(/Malformed|Incomplete/)
  })

  it('are headers that do not say how the body is framed', () => {
    const codeFor = (payload: Payload, headers: Record<string, string>) =>
      codeOf(() => readChunkedBody(readHeaders(Object.entries(headers).flat()), requestOf(payload)))
    const length = { 'x-amz-decoded-content-length': '3' }
    expect(codeFor('streaming-signed', {})).toBe('MissingContentLength')
    for (const value of ['', '-1', '1e3', '0x1', '9'.repeat(16)])
      expect(codeFor('streaming-signed', { 'x-amz-decoded-content-length': value })).toBe('InvalidArgument')
    expect(codeFor('streaming-signed', { ...length, 'x-amz-trailer': CRC })).toBe('InvalidRequest')
    for (const trailer of ['x-amz-meta-a', 'content-length', `${CRC}, ${CRC}`])
      expect(codeFor('streaming-unsigned-trailer', { ...length, 'x-amz-trailer': trailer })).toBe('InvalidRequest')
  })
})
