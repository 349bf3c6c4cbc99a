import { readTar } from '@tidenet/content'
import { tarHeader, tarPadding } from '@tidenet/content/tar-header'
import type { Core } from '../core.ts'
import { type Decryption, openSealed } from '../encryption.ts'
import { Stop } from '../result.ts'
import { type OrderedTarget, orderedTarget, pieceQueue } from './ordered-target.ts'
import type { SequentialWriter } from './sequential-writer.ts'

/** A target that decrypts what is written to it, in order, and passes the plaintext on. */
export interface DecryptingTarget extends OrderedTarget {
  /** Resolves when all plaintext is written; rejects as soon as the key does not fit. */
  plain: Promise<void>
}

/** Decrypts a file while it is downloaded. @param sequence receives the plaintext */
export function decryptingTarget(core: Core, decryption: Decryption, sequence: SequentialWriter): DecryptingTarget {
  const sealed = pieceQueue()
  const plain = open(core, decryption, sealed.pieces, (piece) => sequence.write(piece))
  const target = orderedTarget(sealed)
  // Makes pending writes fail.
  plain.catch(() => target.abort())
  return { ...target, plain }
}

async function open(
  core: Core,
  decryption: Decryption,
  sealed: AsyncIterable<Uint8Array>,
  write: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  for await (const piece of openPieces(core, decryption, sealed)) await write(piece)
}

/** Yields the plaintext. `begin` is called once the key is known to fit; its bytes are yielded first. */
async function* openPieces(
  core: Core,
  decryption: Decryption,
  sealed: AsyncIterable<Uint8Array>,
  begin?: (plainSize: (sealedSize: number) => number) => Uint8Array,
): AsyncIterable<Uint8Array> {
  const { toFailure, platform } = core
  try {
    const { size, pieces } = await openSealed(platform.ciphers, decryption, sealed)
    if (begin) yield begin(size)
    for await (const piece of pieces) if (piece.length > 0) yield piece
  } catch (error) {
    if (error instanceof Stop) throw error
    throw new Stop(
      toFailure('downloadFileError', { phrase: 'decryptFailed', data: { reason: (error as Error).message } }),
    )
  }
}

/** Re-encodes a tar with every file decrypted. */
export async function* decryptTar(
  core: Core,
  decryption: Decryption,
  tar: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  for await (const { name, kind, size, body } of readTar(tar)) {
    if (kind !== 'file') {
      yield tarHeader({ name, kind: 'directory', size: 0 })
      continue
    }
    let plain = 0
    yield* openPieces(core, decryption, body, (plainSize) => {
      plain = plainSize(size)
      return tarHeader({ name, kind: 'file', size: plain })
    })
    yield tarPadding(plain)
  }
  yield new Uint8Array(1024)
}
