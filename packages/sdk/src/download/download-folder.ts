import { type Result, Stop, success } from '../result.ts'
import { fetchFolder } from './fetch-folder.ts'
import { createSequentialWriter } from './sequential-writer.ts'
import { openTarget, targetFailed } from './targets.ts'
import type { Download, DownloadedAsset } from './types.ts'

/** Downloads a folder as a tar: verified as a whole, or block by block if the target cannot be rewritten. */
export async function downloadFolder(download: Download): Promise<Result<DownloadedAsset>> {
  const { core, options, info, root, pool, signal } = download
  const { toFailure } = core
  download.onProgress({ loaded: 0, total: info.size, state: 'probing', node: '' })
  if (!(await pool.probe('car'))) throw new Stop(toFailure('noDownloadAddress', { phrase: 'noDownloadNode' }))
  const name = `${download.name.replace(/\.tar$/i, '')}.tar`
  const { target, finish } = await openTarget(core, options.to, { name, size: undefined, resume: false })
  const sequence = createSequentialWriter(target, targetFailed(toFailure))
  try {
    const node = await fetchFolder(download, sequence, !('capacity' in target))
    await sequence.flush()
    signal.throwIfAborted()
    download.onProgress({ loaded: sequence.size, total: sequence.size, state: 'finishing', node: node.id })
    const more = await finish(sequence.size).catch((error: Error) => {
      throw targetFailed(toFailure)(error)
    })
    return success(
      {
        cid: root.toString(),
        name,
        size: sequence.size,
        assetType: 'folder',
        verified: true,
        nodes: [{ node_id: node.id, bytes: sequence.size }],
        traceId: info.trace_id,
        slow: [],
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  }
}
