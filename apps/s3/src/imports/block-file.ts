import { type FileHandle, open } from 'node:fs/promises'
import { type Cid, carHeader, carPrefix, cidText } from '@tidenet/content'

/** Blocks in a CAR on disk: about 200 bytes of memory for each. */
export interface BlockFile {
  readonly path: string
  /** Bytes of the CAR so far. */
  size(): number
  count(): number
  has(cid: Cid): boolean
  /** Adds a verified block, unless it is there. */
  add(cid: Cid, bytes: Uint8Array): Promise<void>
  /** @returns undefined if it is not there */
  read(cid: Cid): Promise<Uint8Array | undefined>
  /** Names another root, a node as the first one. */
  reroot(root: Cid): Promise<void>
  close(): Promise<void>
}

/** Creates a CAR with this root. */
export async function createBlockFile(path: string, root: Cid): Promise<BlockFile> {
  const file: FileHandle = await open(path, 'wx+', 0o600)
  const places = new Map<string, { at: number; length: number }>()
  let end = 0
  const append = async (bytes: Uint8Array) => {
    await file.write(bytes, 0, bytes.length, end)
    end += bytes.length
  }
  await append(carHeader([root]))
  return {
    path,
    size: () => end,
    count: () => places.size,
    has: (cid) => places.has(cidText(cid)),
    async add(cid, bytes) {
      if (places.has(cidText(cid))) return
      await append(carPrefix(cid, bytes.length))
      places.set(cidText(cid), { at: end, length: bytes.length })
      await append(bytes)
    },
    async read(cid) {
      const place = places.get(cidText(cid))
      if (!place) return undefined
      const bytes = new Uint8Array(place.length)
      await file.read(bytes, 0, place.length, place.at)
      return bytes
    },
    async reroot(root) {
      const header = carHeader([root])
      // The CIDs of all nodes have the same length.
      await file.write(header, 0, header.length, 0)
    },
    close: () => file.close(),
  }
}
