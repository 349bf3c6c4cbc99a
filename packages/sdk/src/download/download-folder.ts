import { type Result, Stop, success } from '../result.ts'
import { fetchFolder } from './fetch-folder.ts'
import { createSequence } from './sequence.ts'
import { openTarget, targetFailed } from './targets.ts'
import type { Download, DownloadedAsset } from './types.ts'

/** Downloads a folder as a tar: verified on its way, or block by block where what was written cannot be taken back. */
export async function downloadFolder(download: Download): Promise<Result<DownloadedAsset>> {
  const { core, options, info, root, pool, signal } = download
  const { say } = core
  download.onProgress({ loaded: 0, total: info.size, state: 'probing', node: '' })
  if (!(await pool.probe('car'))) throw new Stop(say('noDownloadAddress', { phrase: 'noDownloadNode' }))
  const name = `${download.name.replace(/\.tar$/i, '')}.tar`
  const { target, finish } = await openTarget(core, options.to, { name, size: undefined, resume: false })
  const sequence = createSequence(target, targetFailed(say))
  try {
    const node = await fetchFolder(download, sequence, !('room' in target))
    await sequence.flush()
    signal.throwIfAborted()
    download.onProgress({ loaded: sequence.size, total: sequence.size, state: 'finishing', node: node.id })
    const more = await finish(sequence.size).catch((error: Error) => {
      throw targetFailed(say)(error)
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
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  }
}
