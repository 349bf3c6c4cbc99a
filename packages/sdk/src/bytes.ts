/** Bytes that can be read again from any place: a file of a disk, a Blob of a page, bytes in memory. */
export interface ByteSource {
  readonly name: string
  readonly size: number
  /** Unix ms of the last change; 0 when nobody knows. */
  readonly modified: number
  /**
   * The bytes from `start` up to but without `end`. Throws when the source has become shorter.
   * @param options.transient the caller is done with each piece when it asks for the next: its memory may be used again
   */
  read(start: number, end: number, options?: { transient?: boolean }): AsyncIterable<Uint8Array>
  /** Where it lies on disk, for what can open it by itself. */
  readonly path?: string
  /** The same bytes as a Blob, for what can take one without reading it. */
  readonly blob?: Blob
}

/**
 * A file within a folder to upload; `path` is relative and has `/` between its parts. With a `/` at its end too it is a folder
 * that nothing is in, and `source` is never read.
 */
export interface PathedSource {
  path: string
  source: ByteSource
}

/** A folder with nothing in it, among the files of the folder that it is in. @param path without a slash at its end */
export const emptyFolder = (path: string): PathedSource => ({
  path: `${path}/`,
  source: bytesSource(new Uint8Array(0), path.split('/').at(-1)),
})

const SLICE = 1 << 20

export function blobSource(blob: Blob, name = fileName(blob)): ByteSource {
  return {
    name,
    size: blob.size,
    modified: 'lastModified' in blob && typeof blob.lastModified === 'number' ? blob.lastModified : 0,
    blob,
    async *read(start, end) {
      // Slices of a megabyte: a Blob read as a stream comes in pieces of 64 KiB.
      for (let at = start; at < end; at += SLICE) {
        const wanted = Math.min(at + SLICE, end)
        const bytes = new Uint8Array(await blob.slice(at, wanted).arrayBuffer())
        if (bytes.length !== wanted - at) throw new Error('the file has become shorter')
        yield bytes
      }
    },
  }
}

export function bytesSource(bytes: Uint8Array, name = ''): ByteSource {
  return {
    name,
    size: bytes.length,
    modified: 0,
    async *read(start, end) {
      for (let at = start; at < end; at += SLICE) yield bytes.subarray(at, Math.min(at + SLICE, end))
    },
  }
}

function fileName(blob: Blob): string {
  return 'name' in blob && typeof blob.name === 'string' ? blob.name : ''
}

/** Gathers what a source gives between two places. */
export async function gather(source: ByteSource, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start)
  let at = 0
  for await (const chunk of source.read(start, end)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at !== bytes.length) throw new Error('the file has become shorter')
  return bytes
}
