import type { Cid } from '@tidenet/content'
import type { DownloadInfo } from '@tidenet/contract'
import { Stop } from '../result.ts'
import { below, namesOf, proven, type Reading } from './proof.ts'

/** What lies at a path below an asset, and where it is to be had. Throws Stop 404 when there is no such thing. */
export async function inside(
  needs: Reading,
  root: Cid,
  path: string,
  info: DownloadInfo,
): Promise<{ root: Cid; info: DownloadInfo }> {
  const { pool, say } = needs
  const names = namesOf(path, say)
  if (!(await pool.probe('car'))) throw new Stop(say('noDownloadAddress', { phrase: 'noDownloadNode' }))
  return proven(needs, root, names, 'block', async ({ cid, bytes, node }) => {
    const isFile = node.kind === 'file' || node.kind === 'raw'
    if (!isFile && node.kind !== 'directory' && node.kind !== 'shard')
      throw new Stop(say('notFound', { phrase: 'notInFolder' }))
    return {
      root: cid,
      info: {
        ...info,
        url: info.url.map((url) => below(url, names)),
        file_name: names.at(-1) ?? info.file_name,
        asset_type: isFile ? ('file' as const) : ('folder' as const),
        size: isFile ? node.fileSize : node.links.reduce((sum, link) => sum + link.cumulativeSize, bytes.length),
      },
    }
  })
}
