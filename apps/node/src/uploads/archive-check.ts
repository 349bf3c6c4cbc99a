import { PassThrough } from 'node:stream'
import { type CheckedArchive, checkArchive } from '../contents/store-archive.ts'

/** Verifies an archive while its bytes are written to the disk. */
export interface ArchiveCheck {
  /** Takes the next bytes; resolves when more can be taken. Never rejects: what is wrong is found again when the bytes are read. */
  take(chunk: Buffer): Promise<void> | undefined
  /** After the last bytes; undefined if it is no archive of this root. */
  end(): Promise<CheckedArchive | undefined>
  /** Frees what it holds. */
  drop(): void
}

/** @param root CID that the archive must have */
export function beginArchiveCheck(root: string): ArchiveCheck {
  const bytes = new PassThrough({ highWaterMark: 1 << 20 })
  let goOn = () => {}
  bytes.on('drain', () => goOn())
  // A check that ended early closes the stream; writing to it must not crash the node.
  bytes.on('close', () => goOn())
  bytes.on('error', () => {})
  const checked = checkArchive(bytes, () => undefined, { root }).catch(() => undefined)
  return {
    take(chunk) {
      if (bytes.destroyed || bytes.write(chunk)) return undefined
      return new Promise((resolve) => {
        goOn = resolve
      })
    },
    end() {
      bytes.end()
      return checked
    },
    drop() {
      bytes.destroy()
    },
  }
}
