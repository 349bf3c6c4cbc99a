import { type Cid, ContentError, isContentError, sameCid } from '@tidenet/content'
import { type FolderEntry, planFolder } from '@tidenet/content/folder'
import { folderLimits, readTar } from '@tidenet/content/tar'

/** The tar has another root CID. It may still be the same folder, built with another layout. */
export class OtherCid extends Error {}

/**
 * Reads a tar to its end and resolves only if every byte equals what `tarFolder` writes for `root` below `top`: hashes each file, rebuilds
 * the folder, and allows nothing between, beside or after its entries. `maxBytes` is the total size that the root declares; reading stops above
 * it.
 *
 * Throws OtherCid for another folder, ContentError for an invalid tar, and what `tar` throws.
 */
export async function checkTar(
  tar: AsyncIterable<Uint8Array>,
  folder: { root: Cid; top: string; maxBytes: number },
  signal: AbortSignal,
): Promise<void> {
  const { root, maxBytes } = folder
  const top = `${folder.top}/`
  const paths: string[] = []
  let opened = false

  async function* entries(): AsyncIterable<FolderEntry> {
    const count = folderLimits({ maxBytes })
    for await (const { name, kind, size, body } of readTar(tar, { exact: true })) {
      count(size)
      const isTop = name === top && kind === 'directory'
      if (isTop === opened || !name.startsWith(top) || name.endsWith('/') !== (kind === 'directory'))
        throw new ContentError('bad-tar', 'an entry outside of the folder')
      opened = true
      if (isTop) continue
      const path = name.slice(top.length)
      paths.push(path)
      yield { path, size, open: () => body }
    }
    if (!opened) throw new ContentError('bad-tar', 'no folder')
  }

  const plan = await planFolder(entries(), { signal }).catch((error: unknown) => {
    // Other implementations may allow names or depths that ours does not.
    if (isContentError(error) && (error.code === 'bad-path' || error.code === 'too-large')) throw new OtherCid()
    throw error
  })
  if (!sameCid(plan.root, root)) throw new OtherCid()
  let at = 0
  for (const { path } of plan.tree()) if (paths[at++] !== path) throw new ContentError('bad-tar', 'not in order')
  if (at !== paths.length) throw new ContentError('bad-tar', 'an entry came twice')
}
