import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { createCRC32, createCRC64 } from 'hash-wasm'

/** Algorithms of additional checksums, as S3 spells them in headers and documents. */
export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number]

/** Bytes of a digest. */
export const DIGEST_BYTES: Record<ChecksumAlgorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
}

/** Reflected. */
const CRC32C_POLYNOMIAL = 0x82f63b78
const CRC64NVME_POLYNOMIAL = '9a6c9329ac4bc9b5'

export interface Digest {
  update(bytes: Uint8Array): void
  /** Once, at the end. */
  finish(): Buffer
}

/** Async, because some are WebAssembly. */
export async function createDigest(algorithm: ChecksumAlgorithm): Promise<Digest> {
  if (algorithm === 'CRC32') {
    let sum = 0
    return {
      update(bytes) {
        sum = crc32(bytes, sum)
      },
      finish() {
        const digest = Buffer.alloc(4)
        digest.writeUInt32BE(sum)
        return digest
      },
    }
  }
  if (algorithm === 'CRC32C' || algorithm === 'CRC64NVME') {
    const hasher = await (algorithm === 'CRC32C' ? createCRC32(CRC32C_POLYNOMIAL) : createCRC64(CRC64NVME_POLYNOMIAL))
    hasher.init()
    return {
      update(bytes) {
        hasher.update(bytes)
      },
      finish: () => Buffer.from(hasher.digest('binary')),
    }
  }
  const hash = createHash(algorithm.toLowerCase())
  return {
    update(bytes) {
      hash.update(bytes)
    },
    finish: () => hash.digest(),
  }
}
