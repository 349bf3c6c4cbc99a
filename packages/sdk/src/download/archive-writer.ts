import { tarHeader, tarPadding } from '@tidenet/content/tar-header'
import { createZip, type ZipWriter } from '@tidenet/content/zip'
import { MiB } from '@tidenet/contract/constants'
import type { ArchiveFormat } from './archive-types.ts'
import type { SequentialWriter } from './sequential-writer.ts'

/** Files up to this size are held in memory before a ZIP gets them, because their checksum is in front of them. */
const WHOLE_MAX = 4 * MiB

/** Writes files and folders into an archive. */
export interface ArchiveWriter {
  /** @param path without `/` at the end */
  folder(path: string): Promise<void>
  /** @throws Error if the pieces do not have this size */
  file(path: string, size: number, pieces: AsyncIterable<Uint8Array>, onBytes: () => void): Promise<void>
  end(): Promise<void>
}

export function createArchiveWriter(kind: ArchiveFormat, sequence: SequentialWriter): ArchiveWriter {
  const format = kind === 'zip' ? createZip() : createTar()
  return {
    folder: (path) => sequence.write(format.folder(path)),
    async file(path, size, pieces, onBytes) {
      const whole = kind === 'zip' && size <= WHOLE_MAX ? await inMemory(size, pieces) : undefined
      await sequence.write(format.file(path, size, whole))
      for await (const piece of whole ? [whole] : ofSize(size, pieces)) {
        format.add(piece)
        await sequence.write(piece)
        onBytes()
      }
      await sequence.write(format.endFile())
    },
    async end() {
      for (const bytes of format.end()) await sequence.write(bytes)
    },
  }
}

/** The size of a file is written before its contents. */
async function* ofSize(size: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = size
  for await (const piece of pieces) {
    left -= piece.length
    if (left < 0) throw new Error('the file is larger than the portal says')
    yield piece
  }
  if (left !== 0) throw new Error('the file is not as large as the portal says')
}

async function inMemory(size: number, pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const whole = new Uint8Array(size)
  let filled = 0
  for await (const piece of ofSize(size, pieces)) {
    whole.set(piece, filled)
    filled += piece.length
  }
  return whole
}

function createTar(): Omit<ZipWriter, 'end'> & { end(): Iterable<Uint8Array> } {
  let open = 0
  return {
    folder: (path) => tarHeader({ name: `${path}/`, kind: 'directory', size: 0 }),
    file(path, size) {
      open = size
      return tarHeader({ name: path, kind: 'file', size })
    },
    add() {},
    endFile: () => tarPadding(open),
    end: () => [new Uint8Array(1024)],
  }
}
