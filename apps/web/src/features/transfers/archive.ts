import type { ArchiveEntry, ArchiveProgress, ArchiveTask, DownloadedArchive, Result, Storage } from '@tidenet/storage'
import { ApiError, api } from '../../lib/api.ts'
import { useVault } from '../vault/store.ts'
import { type DownloadRequest, savedName } from './download-request.ts'
import { sdkCodes } from './sdk-codes.ts'
import { t } from './texts.ts'

/**
 * Downloads several files and folders of the account as one tar. Files of encrypted folders are decrypted if their key is unlocked; other
 * encrypted files are as they are stored, with `.age` after their names.
 */
export function downloadArchive(
  sdk: Storage,
  request: DownloadRequest,
  onProgress: (progress: ArchiveProgress) => void,
): ArchiveTask {
  const controller = new AbortController()
  const running = run(sdk, request, onProgress, controller.signal)
  return Object.assign(running, {
    async cancel() {
      controller.abort()
      await running
    },
  })
}

async function run(
  sdk: Storage,
  request: DownloadRequest,
  onProgress: (progress: ArchiveProgress) => void,
  signal: AbortSignal,
): Promise<Result<DownloadedArchive>> {
  const failure = (code: number, msg: string) => ({ code, msg, data: {} })
  let entries: ArchiveEntry[]
  try {
    entries = await list(request.archive ?? { assets: [], folders: [] }, signal)
  } catch (error) {
    if (signal.aborted) return failure(sdkCodes.aborted, '')
    if (error instanceof ApiError) return failure(error.kind === 'session' ? sdkCodes.unauthorized : -1, error.message)
    throw error
  }
  if (entries.length === 0) return failure(-1, t.emptyArchive)
  const identity = useVault.getState().key?.identity
  return sdk.downloadArchive(
    {
      entries,
      name: savedName(request),
      signal,
      ...(request.handle && { to: { handle: request.handle } }),
      ...(identity && { decrypt: { identities: [identity] } }),
    },
    onProgress,
  )
}

async function list(what: { assets: string[]; folders: number[] }, signal: AbortSignal): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  let after: number | undefined = 0
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof api<'folders.manifest'>>> = await api(
      'folders.manifest',
      { ...what, after },
      { signal },
    )
    for (const { cid, kind, path, size, encrypted } of page.list)
      entries.push({ cid, path, assetType: kind, size, ...(encrypted && kind === 'file' && { encrypted }) })
    for (const path of page.empty) entries.push({ path })
    after = page.next
  }
  // Entries of a folder are written together and in order.
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
