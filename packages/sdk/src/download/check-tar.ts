import { type Cid, ContentError, isContentError, sameCid } from '@tidenet/content'
import { type FolderEntry, planFolder } from '@tidenet/content/folder'
import { folderLimits, readTar } from '@tidenet/content/tar'

/** The tar holds another folder than the one asked for: it may be the same, made in another way than ours. */
export class OtherCid extends Error {}

/**
 * Reads a tar to its end and resolves only when every byte of it is the one that `tarFolder` writes for `root` below `top`: each file is
 * hashed, the folder is put together anew from what came, and nothing else may stand between, beside or behind its entries. `room` is what
 * the root declares that files and links have together; whoever sends more is not read on.
 *
 * Throws OtherCid for another folder, ContentError for what is no such tar, and what `tar` throws.
 */
export async function checkTar(
  tar: AsyncIterable<Uint8Array>,
  folder: { root: Cid; top: string; room: number },
  signal: AbortSignal,
): Promise<void> {
  const { root, room } = folder
  const top = `${folder.top}/`
  const came: string[] = []
  let opened = false

  async function* entries(): AsyncIterable<FolderEntry> {
    const count = folderLimits({ maxBytes: room })
    for await (const { name, kind, size, body } of readTar(tar, { exact: true })) {
      count(size)
      const isTop = name === top && kind === 'directory'
      if (isTop === opened || !name.startsWith(top) || name.endsWith('/') !== (kind === 'directory'))
        throw new ContentError('bad-tar', 'an entry outside of the folder')
      opened = true
      if (isTop) continue
      const path = name.slice(top.length)
      came.push(path)
      yield { path, size, open: () => body }
    }
    if (!opened) throw new ContentError('bad-tar', 'no folder')
  }

  const plan = await planFolder(entries(), { signal }).catch((error: unknown) => {
    // What we would not name so, or not so deep, others may have.
    if (isContentError(error) && (error.code === 'bad-path' || error.code === 'too-large')) throw new OtherCid()
    throw error
  })
  if (!sameCid(plan.root, root)) throw new OtherCid()
  let at = 0
  for (const { path } of plan.tree()) if (came[at++] !== path) throw new ContentError('bad-tar', 'not in order')
  if (at !== came.length) throw new ContentError('bad-tar', 'an entry came twice')
}
