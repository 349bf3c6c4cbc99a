import { type ContentErrorCode, cidText, isContentError, RAW, readCar, sameCid } from '@tidenet/content'
import { carFrameSize, carHeader } from '@tidenet/content/car'
import { readNode } from '@tidenet/content/unixfs'
import type { ByteSource } from '../bytes.ts'
import type { Phrase } from '../codes.ts'
import { type Result, Stop } from '../result.ts'
import type { UploadedAsset } from './types.ts'
import { type Archive, uploadArchive } from './upload-archive.ts'
import type { Upload } from './upload-file.ts'

/** Uploads what a CAR holds. It is read once to verify every block, and again to send it. */
export function uploadCar(
  upload: Upload,
  source: ByteSource,
  onPacked: (bytes: number, total: number) => void,
): Promise<Result<UploadedAsset>> {
  const { toFailure } = upload.core
  const refuse = (phrase: Phrase) => toFailure('uploadError', { phrase })
  const explain = (error: unknown) => {
    if (!isContentError(error)) return undefined
    return refuse(phrases[error.code] ?? 'carMalformed')
  }
  const prepare = async (): Promise<Archive> => {
    const found = await inspect(upload, source, onPacked)
    if ('refused' in found) throw new Stop(refuse(found.refused))
    onPacked(0, source.size)
    return found
  }
  return uploadArchive(upload, prepare, explain)
}

const phrases: Partial<Record<ContentErrorCode, Phrase>> = { unsupported: 'carUnsupported', mismatch: 'carDamaged' }

async function inspect(
  { signal }: Upload,
  source: ByteSource,
  onRead: (bytes: number, total: number) => void,
): Promise<Archive | { refused: Phrase }> {
  let read = 0
  async function* counted() {
    for await (const piece of source.read(0, source.size)) {
      read += piece.length
      onRead(read, source.size)
      yield piece
    }
  }
  const reading = readCar(counted(), { signal })
  const [root, ...more] = await reading.roots
  let archive: Archive | undefined
  // Nodes count blocks with CIDs of version 1, which are longer than CIDs of version 0.
  const longest = root?.toV1()
  let asVersion1 = longest ? carHeader([longest]).length : 0
  for await (const { cid, bytes } of reading.blocks) {
    if (longest) asVersion1 += carFrameSize(longest, bytes.length)
    if (!root || archive || !sameCid(cid, root)) continue
    const node = cid.code === RAW ? undefined : readNode(cid, bytes)
    const isFolder = node?.kind === 'directory' || node?.kind === 'shard'
    const size = isFolder ? source.size : (node?.fileSize ?? bytes.length)
    archive = {
      cid: cidText(root.toV1()),
      source,
      reserved: Math.max(size, source.size),
      size,
      assetType: isFolder ? 'folder' : 'file',
    }
  }
  if (!root || more.length > 0) return { refused: 'carRoots' }
  if (!archive) return { refused: 'carDamaged' }
  return { ...archive, reserved: Math.max(archive.reserved, asVersion1) }
}
