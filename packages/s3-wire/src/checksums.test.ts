import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createChecksums, type ExpectedChecksums, readExpectedChecksums, readObjectChecksum } from './checksums.ts'
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from './digests.ts'
import { S3Error } from './errors.ts'
import { combineCrcs, compositeChecksum, isCrc, multipartEtag } from './multipart-checksums.ts'
import { codeOf } from './refusal.fixture.ts'
import { readHeaders, readTarget } from './request.ts'
import type { Payload } from './signature.ts'

const DIGITS = Buffer.from('123456789')
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
/** Of the digits 1 to 9: the check values of the catalogue of CRCs, and of other programs. */
const OF_DIGITS: Record<ChecksumAlgorithm, string> = {
  CRC32: base64('cbf43926'),
  CRC32C: base64('e3069283'),
  CRC64NVME: base64('ae8b14860a799888'),
  SHA1: base64('f7c3bc1d808e04732adf679965ccc34ca7ae3441'),
  SHA256: base64('15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'),
}
const MD5_OF_DIGITS = '25f9e794323b453885f5181f1b624d0b'
const SHA256_OF_DIGITS = Buffer.from(OF_DIGITS.SHA256, 'base64').toString('hex')

const expectedOf = (
  headers: Record<string, string>,
  target = '/b/a',
  payload: Payload = 'unsigned',
  trailerNames: string[] = [],
) =>
  readExpectedChecksums({
    headers: readHeaders(Object.entries(headers).flat()),
    target: readTarget(target),
    payload,
    trailerNames,
  })

/** What comes out, or the code of the refusal. */
async function check(expected: ExpectedChecksums, body: Buffer, trailers: Record<string, string> = {}) {
  const stream = await createChecksums(expected)
  for (let at = 0; at < body.length; at += 4) stream.update(body.subarray(at, at + 4))
  try {
    return stream.finish(new Map(Object.entries(trailers)))
  } catch (error) {
    if (error instanceof S3Error) return error.code
    throw error
  }
}
const checksumOf = async (algorithm: ChecksumAlgorithm, body: Buffer): Promise<string> => {
  const result = await check({ checksum: { algorithm, isInTrailer: false, isPresigned: false } }, body)
  if (typeof result === 'string') throw new Error(result)
  return result.checksum!.value
}

describe('the checksum of a body', () => {
  it.each(CHECKSUM_ALGORITHMS)('%s comes in a header, in a trailer or in the query', async (algorithm) => {
    const name = `x-amz-checksum-${algorithm.toLowerCase()}`
    const value = OF_DIGITS[algorithm]
    const result = { length: 9, md5: MD5_OF_DIGITS, checksum: { algorithm, value } }
    const query = `/b/a?${name}=${encodeURIComponent(value)}&x-amz-sdk-checksum-algorithm=${algorithm}`
    expect(await check(expectedOf({ [name]: value }), DIGITS)).toEqual(result)
    expect(await check(expectedOf({}, query), DIGITS)).toEqual(result)
    const inTrailer = expectedOf({ 'x-amz-sdk-checksum-algorithm': algorithm }, '/b/a', 'unsigned', [name])
    expect(await check(inTrailer, DIGITS, { [name]: value })).toEqual(result)
    expect(await check(expectedOf({ 'x-amz-checksum-algorithm': algorithm.toLowerCase() }), DIGITS)).toEqual(result)

    const other = Buffer.from('123456788')
    expect(await check(expectedOf({ [name]: value }), other)).toBe('BadDigest')
    expect(await check(expectedOf({}, query), other)).toBe('BadDigest')
    expect(await check(inTrailer, other, { [name]: value })).toBe('BadDigest')
    expect(await check(inTrailer, DIGITS, { [name]: 'abc' })).toBe('InvalidRequest')
    expect(await check(inTrailer, DIGITS)).toBe('InvalidRequest')
  })

  it('of no bytes, which the SDK for JavaScript presigns, is no promise about the bytes', async () => {
    const presigned = expectedOf({}, '/b/a?x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-sdk-checksum-algorithm=CRC32')
    expect(await check(presigned, DIGITS)).toMatchObject({ checksum: { value: OF_DIGITS.CRC32 } })
    expect(await check(presigned, Buffer.alloc(0))).toMatchObject({ checksum: { value: 'AAAAAA==' } })
    expect(await check(expectedOf({ 'x-amz-checksum-crc32': 'AAAAAA==' }), DIGITS)).toBe('BadDigest')
  })

  it('is the MD5 and the SHA-256 of the signature as well', async () => {
    const md5 = base64(MD5_OF_DIGITS)
    expect(await check(expectedOf({ 'content-md5': md5 }), DIGITS)).toEqual({ length: 9, md5: MD5_OF_DIGITS })
    expect(await check(expectedOf({ 'content-md5': md5 }), Buffer.from('other'))).toBe('BadDigest')
    const signed = expectedOf({}, '/b/a', { sha256: SHA256_OF_DIGITS })
    expect(await check(signed, DIGITS)).toEqual({ length: 9, md5: MD5_OF_DIGITS })
    expect(await check(signed, Buffer.alloc(0))).toBe('XAmzContentSHA256Mismatch')
  })

  it('is refused if it cannot be one', () => {
    const refusal = (headers: Record<string, string>, target?: string) => codeOf(() => expectedOf(headers, target))
    for (const md5 of ['', 'abc', MD5_OF_DIGITS, `${base64(MD5_OF_DIGITS)} `, base64(`${MD5_OF_DIGITS}00`)])
      expect(refusal({ 'content-md5': md5 })).toBe('InvalidDigest')
    for (const value of ['', 'AAAAAA', 'AAAAAA==,AAAAAA==', 'AAAAAB==', OF_DIGITS.SHA1])
      expect(refusal({ 'x-amz-checksum-crc32': value })).toBe('InvalidRequest')
    expect(refusal({ 'x-amz-checksum-crc32': OF_DIGITS.CRC32, 'x-amz-checksum-sha1': OF_DIGITS.SHA1 })).toBe(
      'InvalidRequest',
    )
    expect(refusal({ 'x-amz-checksum-crc32': OF_DIGITS.CRC32 }, '/?x-amz-checksum-crc32=AAAAAA==')).toBe(
      'InvalidRequest',
    )
    expect(refusal({ 'x-amz-checksum-crc32': OF_DIGITS.CRC32, 'x-amz-sdk-checksum-algorithm': 'SHA1' })).toBe(
      'InvalidRequest',
    )
    expect(refusal({ 'x-amz-sdk-checksum-algorithm': 'MD4' })).toBe('InvalidRequest')
  })

  it('is refused if nobody can compare it', () => {
    const refusal = (headers: Record<string, string>, target?: string) => codeOf(() => expectedOf(headers, target))
    expect(refusal({ 'x-amz-checksum-sha512': 'AAAA' })).toBe('NotImplemented')
    expect(refusal({}, '/?X-Amz-Checksum-XXHash64=AAAA')).toBe('NotImplemented')
    expect(refusal({ 'x-amz-checksum-mode': 'ENABLED', 'x-amz-checksum-type': 'FULL_OBJECT' })).not.toBe(
      'NotImplemented',
    )
  })
})

describe('an object that came in parts', () => {
  it('may have a checksum that its client expects', () => {
    const expected = (headers: Record<string, string>) =>
      readObjectChecksum(readHeaders(Object.entries(headers).flat()))
    expect(expected({})).toBeUndefined()
    for (const value of [OF_DIGITS.CRC32, `${OF_DIGITS.CRC32}-10000`])
      expect(expected({ 'x-amz-checksum-crc32': value })).toEqual({ algorithm: 'CRC32', value })
    for (const value of ['', 'abc', `${OF_DIGITS.CRC32}-0`, `${OF_DIGITS.CRC32}-x`])
      expect(codeOf(() => expected({ 'x-amz-checksum-crc32': value }))).toBe('InvalidRequest')
    const two = { 'x-amz-checksum-crc32': OF_DIGITS.CRC32, 'x-amz-checksum-sha1': OF_DIGITS.SHA1 }
    expect(codeOf(() => expected(two))).toBe('InvalidRequest')
  })

  const parts = ['', 'a', 'bc'.repeat(70_000), '', 'd'.repeat(5), 'e'.repeat(5), '文'].map((text) => Buffer.from(text))
  const whole = Buffer.concat(parts)

  it('has an ETag of the ETags of its parts', () => {
    const md5s = ['a', 'b'].map((text) => createHash('md5').update(text).digest('hex'))
    expect(multipartEtag(md5s)).toBe('96e024ba2074fe77e8e965ba43a704be-2')
  })

  it.each(CHECKSUM_ALGORITHMS)('has a composite %s of those of its parts', async (algorithm) => {
    const values = await Promise.all(parts.map((part) => checksumOf(algorithm, part)))
    const joined = Buffer.concat(values.map((value) => Buffer.from(value, 'base64')))
    expect(await compositeChecksum(algorithm, values)).toBe(`${await checksumOf(algorithm, joined)}-7`)
  })

  it.each(CHECKSUM_ALGORITHMS.filter(isCrc))(
    'has the %s of the whole, computed without its bytes',
    async (algorithm) => {
      const sums = await Promise.all(
        parts.map(async (part) => ({ value: await checksumOf(algorithm, part), size: part.length })),
      )
      expect(combineCrcs(algorithm, sums)).toBe(await checksumOf(algorithm, whole))
      expect(combineCrcs(algorithm, [])).toBe(await checksumOf(algorithm, Buffer.alloc(0)))
    },
  )

  it('can have the largest number of parts of the largest size, also in two steps', () => {
    const most = Array.from({ length: 10_000 }, (_, index) => ({ value: 'AAAAAAAAAAE=', size: 5 * 1024 ** 3 - index }))
    const halves = [most.slice(0, 5000), most.slice(5000)].map((half) => ({
      value: combineCrcs('CRC64NVME', half),
      size: half.reduce((sum, { size }) => sum + size, 0),
    }))
    expect(combineCrcs('CRC64NVME', most)).toBe(combineCrcs('CRC64NVME', halves))
  })
})
