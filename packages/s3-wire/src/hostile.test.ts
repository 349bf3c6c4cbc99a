import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { decodeAwsChunked } from './aws-chunked.ts'
import { S3Error } from './errors.ts'
import { readLifecycle } from './lifecycle.ts'
import { readAddress } from './names.ts'
import { readPostForm } from './post-form.ts'
import { readHeaders, readTarget } from './request.ts'
import { EXAMPLE, EXAMPLE_SCOPE, EXAMPLE_TIME, read } from './s3.fixture.ts'
import { sign, signingKeyOf } from './signature.ts'
import { presigned } from './signed-requests.fixture.ts'
import { readCompleteMultipartUpload, readDelete } from './xml-bodies.ts'

/** The same numbers in every run, 0 to 2^32. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}
type Random = ReturnType<typeof createRandom>

/** Changes, removes, inserts or repeats some bytes. */
function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = Buffer.from(bytes)
  for (let count = 1 + random(3); count > 0; count--) {
    const at = random(mutated.length + 1)
    const length = random(8)
    const [start, rest] = [mutated.subarray(0, at), mutated.subarray(at)]
    const inserted = Buffer.from(Array.from({ length }, () => random(256)))
    const choices = [
      [start, rest.subarray(length)],
      [start, inserted, rest],
      [start, inserted, rest.subarray(length)],
      [start, start.subarray(-length), rest],
      [start],
    ]
    mutated = Buffer.concat(choices[random(choices.length)]!)
  }
  return mutated
}

/** Whatever is not refused comes back; another error than a refusal fails the test. */
async function attempt<Result>(call: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof S3Error) return undefined
    throw error
  }
}

async function* inParts(bytes: Buffer, random: Random) {
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random(5000)
    yield bytes.subarray(at, end)
    at = end
  }
}

const ROUNDS = 2000
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')

describe('a changed message', () => {
  it('is refused, or its signed body is what was signed', async () => {
    const random = createRandom(1)
    const key = signingKeyOf(EXAMPLE.secretAccessKey, EXAMPLE_SCOPE)
    const request = {
      ...EXAMPLE_SCOPE,
      amzDate: '20130524T000000Z',
      signature: '0'.repeat(64),
      payload: 'streaming-signed' as const,
    }
    const chunks = [Buffer.alloc(9000, 'a'), Buffer.alloc(5, 'b'), Buffer.alloc(0)]
    let previous = request.signature
    const framed = chunks.flatMap((chunk) => {
      const scope = '20130524/us-east-1/s3/aws4_request'
      previous = sign(
        key,
        ['AWS4-HMAC-SHA256-PAYLOAD', request.amzDate, scope, previous, sha256(''), sha256(chunk)].join('\n'),
      )
      return [Buffer.from(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`), chunk, Buffer.from('\r\n')]
    })
    const content = Buffer.concat(chunks)
    const whole = Buffer.concat(framed)
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      const body = round === 0 ? whole : mutate(whole, random)
      const decoded = await attempt(async () => {
        const pieces: Buffer[] = []
        const chunked = { request, decodedLength: content.length, trailerNames: [] }
        for await (const piece of decodeAwsChunked(inParts(body, random), chunked, key).body) pieces.push(piece)
        return Buffer.concat(pieces)
      })
      if (decoded) expect(decoded.equals(content)).toBe(true)
      else refused++
    }
    expect(refused).toBeGreaterThan(ROUNDS * 0.9)
    expect(refused).toBeLessThan(ROUNDS)
  })

  it('never fails in another way than by a refusal', async () => {
    const random = createRandom(2)
    const form = Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: text/plain\r\n\r\nabc\r\n--b--\r\n',
    )
    const xml = Buffer.from(
      '<?xml version="1.0"?><Delete xmlns="u"><Object><Key>a&amp;<![CDATA[b]]></Key><VersionId>1</VersionId></Object></Delete>',
    )
    const parts = Buffer.from(
      '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"a"</ETag></Part></CompleteMultipartUpload>',
    )
    const rules = Buffer.from(
      '<LifecycleConfiguration><Rule><Status>Enabled</Status><Filter><Prefix>a</Prefix></Filter><Expiration><Date>2027-01-01T00:00:00Z</Date></Expiration></Rule></LifecycleConfiguration>',
    )
    const target = Buffer.from(presigned().target)
    for (let round = 0; round < ROUNDS; round++) {
      const text = mutate(target, random).toString('latin1')
      await attempt(() => read({ ...presigned(), target: text }, EXAMPLE_TIME))
      await attempt(() => readAddress(readTarget(text).path, text.slice(0, 50), ['localhost']))
      await attempt(() => readHeaders(['Host', text, text, text]))
      await attempt(() => readDelete(mutate(xml, random)))
      await attempt(() => readCompleteMultipartUpload(mutate(parts, random)))
      await attempt(() => readLifecycle(mutate(rules, random)))
      await attempt(async () => {
        const { file } = await readPostForm(
          'multipart/form-data; boundary=b',
          Readable.from(inParts(mutate(form, random), random)),
          5000,
        )
        for await (const piece of file({ minBytes: 0, maxBytes: 100 })) expect(piece.length).toBeLessThan(200)
      })
    }
  })
})
