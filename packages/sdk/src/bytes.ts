/** Bytes that can be read repeatedly from any offset: a file, a Blob, or memory. */
export interface ByteSource {
  readonly name: string
  readonly size: number
  /** Last modification in unix ms; 0 if unknown. */
  readonly modified: number
  /**
   * The bytes of [start, end). Throws if the source has become shorter.
   * @param options.transient the caller is done with each piece when it asks for the next, so its buffer may be reused
   */
  read(start: number, end: number, options?: { transient?: boolean }): AsyncIterable<Uint8Array>
  /** It can be read once only: nothing is read before the receiver is connected. */
  readonly once?: true
  /** Path on disk, for code that can open the file itself. */
  readonly path?: string
  /** The same bytes as a Blob, for APIs that accept one. */
  readonly blob?: Blob
}

/**
 * A file to upload within a folder. `path` is relative, separated by `/`. A trailing `/` marks an empty folder, whose `source` is never
 * read.
 */
export interface PathedSource {
  path: string
  source: ByteSource
}

/** An empty subfolder of the folder to upload. @param path without a trailing slash */
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
      // Read slices of 1 MiB: Blob.stream() yields 64 KiB pieces, which is slower.
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

/** Collects the bytes of [start, end). */
export async function readRange(source: ByteSource, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start)
  let at = 0
  for await (const chunk of source.read(start, end)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at !== bytes.length) throw new Error('the file has become shorter')
  return bytes
}
