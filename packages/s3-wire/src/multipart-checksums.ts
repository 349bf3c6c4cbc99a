import { createHash } from 'node:crypto'
import { type ChecksumAlgorithm, createDigest, DIGEST_BYTES } from './digests.ts'
import { S3Error } from './errors.ts'
import { type Headers, headerOf } from './request.ts'

/**
 * The ETag of an object that came in parts, without quotes: `<MD5 of the parts' MD5s>-<number of parts>`.
 * @param md5s of the parts in their order, hexadecimal
 */
export function multipartEtag(md5s: readonly string[]): string {
  const hash = createHash('md5')
  for (const md5 of md5s) hash.update(md5, 'hex')
  return `${hash.digest('hex')}-${md5s.length}`
}

/**
 * The checksum of type COMPOSITE of an object that came in parts: `<base64>-<number of parts>`.
 * @param values of the parts in their order, base64
 */
export async function compositeChecksum(algorithm: ChecksumAlgorithm, values: readonly string[]): Promise<string> {
  const digest = await createDigest(algorithm)
  for (const value of values) digest.update(Buffer.from(value, 'base64'))
  return `${digest.finish().toString('base64')}-${values.length}`
}

/** COMPOSITE: a checksum of the checksums of the parts. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT'

/** @throws S3Error InvalidRequest */
export function readChecksumType(headers: Headers): ChecksumType | undefined {
  const type = headerOf(headers, 'x-amz-checksum-type')
  if (type === undefined || type === 'COMPOSITE' || type === 'FULL_OBJECT') return type
  throw new S3Error('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.')
}

/** Only a CRC of the whole can be computed from those of the parts; in S3, CRC64NVME is never composite. */
export const canBeOfType = (algorithm: ChecksumAlgorithm, type: ChecksumType): boolean =>
  type === 'FULL_OBJECT' ? isCrc(algorithm) : algorithm !== 'CRC64NVME'

export const defaultChecksumType = (algorithm: ChecksumAlgorithm): ChecksumType =>
  algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE'

export type CrcAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME'

export const isCrc = (algorithm: ChecksumAlgorithm): algorithm is CrcAlgorithm => algorithm.startsWith('CRC')

/**
 * A polynomial over GF(2) below the degree of a CRC, as two words of 32 bits: the most significant bit of `high` is the coefficient of x^0.
 * A CRC of 32 bits has no `low`. Words are much faster than BigInt, and clients choose how many parts there are.
 */
type Polynomial = readonly [high: number, low: number]

/** x^32 and x^64 modulo the polynomial of each CRC. */
const REDUCTIONS: Record<CrcAlgorithm, Polynomial> = {
  CRC32: [0xedb88320, 0],
  CRC32C: [0x82f63b78, 0],
  CRC64NVME: [0x9a6c9329, 0xac4bc9b5],
}
const ONE: Polynomial = [0x80000000, 0]
const X_8: Polynomial = [0x00800000, 0]

/**
 * The checksum of type FULL_OBJECT of an object that came in parts, from those of its parts.
 * @param parts in their order; values in base64, sizes in bytes
 * @returns base64
 */
export function combineCrcs(algorithm: CrcAlgorithm, parts: readonly { value: string; size: number }[]): string {
  const bytes = DIGEST_BYTES[algorithm]
  const multiply = multiplier(algorithm)
  /** x^(8 · 2^index). */
  const squares = [X_8]
  let crc: Polynomial = [0, 0]
  for (const { value, size } of parts) {
    // The CRC of what came before moves on by the bits of this part.
    let shift = ONE
    for (let left = size, index = 0; left > 0; left = Math.floor(left / 2), index++) {
      const square = squares[index] ?? multiply(squares[index - 1]!, squares[index - 1]!)
      squares[index] = square
      if (left % 2 === 1) shift = multiply(shift, square)
    }
    const [high, low] = multiply(crc, shift)
    const own = Buffer.concat([Buffer.from(value, 'base64'), Buffer.alloc(8)])
    crc = [high ^ own.readUInt32BE(0), low ^ own.readUInt32BE(4)]
  }
  const digest = Buffer.alloc(8)
  digest.writeInt32BE(crc[0] | 0, 0)
  digest.writeInt32BE(crc[1] | 0, 4)
  return digest.subarray(0, bytes).toString('base64')
}

function multiplier(algorithm: CrcAlgorithm) {
  const isWide = DIGEST_BYTES[algorithm] === 8
  const [reductionHigh, reductionLow] = REDUCTIONS[algorithm]
  return (a: Polynomial, b: Polynomial): Polynomial => {
    let [high, low] = b
    let productHigh = 0
    let productLow = 0
    for (const word of isWide ? a : [a[0]]) {
      for (let bit = 31; bit >= 0; bit--) {
        if ((word >>> bit) & 1) {
          productHigh ^= high
          productLow ^= low
        }
        const overflow = (isWide ? low : high) & 1
        if (isWide) low = (low >>> 1) | (high << 31)
        high >>>= 1
        if (overflow) {
          high ^= reductionHigh
          low ^= reductionLow
        }
      }
    }
    return [productHigh, productLow]
  }
}
