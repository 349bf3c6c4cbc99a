import type { Cid } from '@tidenet/content'
import { partUrl } from '@tidenet/content/client-requests'
import type { DownloadInfo } from '@tidenet/contract'
import { Stop } from '../result.ts'
import { type FolderReadDeps, namesOf, readProven } from './proof.ts'

/** Resolves a path inside a folder to its CID and addresses. Throws Stop 404 if there is no such path. */
export async function resolvePart(
  needs: FolderReadDeps,
  root: Cid,
  path: string,
  info: DownloadInfo,
): Promise<{ root: Cid; info: DownloadInfo }> {
  const { pool, toFailure } = needs
  const names = namesOf(path, toFailure)
  if (!(await pool.probe('car'))) throw new Stop(toFailure('noDownloadAddress', { phrase: 'noDownloadNode' }))
  return readProven(needs, root, names, 'block', async ({ cid, bytes, node }) => {
    const isFile = node.kind === 'file' || node.kind === 'raw'
    if (!isFile && node.kind !== 'directory' && node.kind !== 'shard')
      throw new Stop(toFailure('notFound', { phrase: 'notInFolder' }))
    return {
      root: cid,
      info: {
        ...info,
        url: info.url.map((url) => partUrl(url, names)),
        file_name: names.at(-1) ?? info.file_name,
        asset_type: isFile ? ('file' as const) : ('folder' as const),
        size: isFile ? node.fileSize : node.links.reduce((sum, link) => sum + link.cumulativeSize, bytes.length),
      },
    }
  })
}
