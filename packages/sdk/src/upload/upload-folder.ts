import { type ContentError, isContentError, MAX_FOLDER_ENTRIES } from '@tidenet/content'
import { type FolderEntry, planFolder } from '@tidenet/content/folder'
import type { PathedSource } from '../bytes.ts'
import { type Failure, type Result, Stop, type ToFailure } from '../result.ts'
import { archiveSource } from './archive-source.ts'
import type { UploadedAsset } from './types.ts'
import { uploadArchive } from './upload-archive.ts'
import type { Upload } from './upload-file.ts'

/**
 * Uploads a folder: hashes it to compute its CID, registers it, then reads it again to send it as an archive. Memory grows with the number
 * of files, not with their size.
 */
export function uploadFolder(
  upload: Upload,
  files: () => AsyncIterable<PathedSource>,
  onPacked: (bytes: number, total: number) => void,
): Promise<Result<UploadedAsset>> {
  const { core, signal, name } = upload
  const { toFailure } = core
  /** Path of the file being read. */
  let path = ''
  const listed = entries(files(), (next) => {
    path = next
  })
  const prepare = async () => {
    const plan = await planFolder(listed, { signal, onProgress: ({ bytes }) => onPacked(bytes, 0) })
    if (plan.files === 0 && plan.folders === 0) throw new Stop(toFailure('sizeError'))
    const { carSize } = plan
    onPacked(0, carSize)
    const source = archiveSource(plan, `${name}.car`)
    return {
      cid: plan.root.toString(),
      source,
      reserved: carSize,
      size: plan.contentSize,
      assetType: 'folder' as const,
    }
  }
  return uploadArchive(upload, prepare, (error) =>
    isContentError(error) ? contentFailure(toFailure, error, path) : undefined,
  )
}

/** Why a folder is refused: it could not be downloaded again, or it changed while it was read. */
function contentFailure(toFailure: ToFailure, { code, message }: ContentError, path: string): Failure {
  if (code === 'bad-path')
    return toFailure('uploadError', { phrase: 'folderPath', fill: [JSON.stringify(path.slice(0, 200))] })
  if (code === 'too-large') return toFailure('uploadError', { phrase: 'folderEntries', fill: [MAX_FOLDER_ENTRIES] })
  return toFailure('uploadError', { phrase: 'uploadFailed', fill: [message] })
}

async function* entries(
  files: AsyncIterable<PathedSource>,
  onEntry: (path: string) => void,
): AsyncIterable<FolderEntry> {
  for await (const { path, source } of files) {
    onEntry(path)
    yield { path, size: source.size, open: () => source.read(0, source.size) }
  }
}
