import { type Block, type Cid, parseCid } from '@tidenet/content/cid'
import { buildDirectory, type Directory } from '@tidenet/content/directory'
import type { PartRow } from './folders-repository.ts'

interface Entry {
  name: string
  cidBytes: Uint8Array
  cumulativeSize: number
}

interface Folder {
  folders: Map<string, Folder>
  files: Entry[]
}

/** The nodes of a folder that has these files at their paths, as Kubo and uploads of whole folders build them. */
export async function composeFolder(
  parts: readonly Pick<PartRow, 'cid' | 'path' | 'bytes'>[],
): Promise<{ root: Cid; bytes: number; nodes: Block[] }> {
  const top: Folder = { folders: new Map(), files: [] }
  for (const { cid, path, bytes } of parts) {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let folder = top
    for (const next of names) {
      const known = folder.folders.get(next) ?? { folders: new Map(), files: [] }
      folder.folders.set(next, known)
      folder = known
    }
    folder.files.push({ name, cidBytes: parseCid(cid).toV1().bytes, cumulativeSize: bytes })
  }
  const nodes: Block[] = []
  const build = async ({ folders, files }: Folder): Promise<Directory<Entry>> => {
    const entries = [...files]
    for (const [name, folder] of folders) {
      const { block, cumulativeSize } = await build(folder)
      entries.push({ name, cidBytes: block.cid.bytes, cumulativeSize })
    }
    const directory = await buildDirectory(entries)
    const collect = ({ block, items }: Directory<Entry>): void => {
      nodes.push(block)
      for (const item of items) if ('block' in item) collect(item)
    }
    collect(directory)
    return directory
  }
  const { block, cumulativeSize } = await build(top)
  return { root: block.cid, bytes: cumulativeSize, nodes }
}
