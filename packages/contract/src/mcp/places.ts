import { errors } from '../errors.ts'
import { type PortalCall, ToolError } from './tool.ts'

export interface FilePlace {
  cid: string
  assetId: number
  name: string
  /** Bytes. */
  size: number
  /** A folder that was uploaded as one item. */
  isArchive: boolean
}

type Entry = { kind: 'file' | 'folder' | 'group'; id: string; asset_id: number; size: number; name: string }

/** Parts of a path. */
const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.')

/** What has this name in a folder. A key of some folders sees only these in the root, so it looks there. */
async function entriesNamed(call: PortalCall, parent: number, name: string): Promise<Entry[]> {
  try {
    return (await call('folders.findNames', { parent, names: [name] })).list
  } catch (error) {
    if (parent !== 0 || !(error instanceof ToolError) || error.err !== errors.folderUnknown.err) throw error
    const { list } = await call('folders.contents', { parent: 0, page: 1, page_size: 100 })
    return list.flatMap(({ Group: group }) =>
      group?.Name === name ? [{ kind: 'group' as const, id: String(group.ID), asset_id: 0, size: 0, name }] : [],
    )
  }
}

/** The id of a folder; 0 is the root. @throws ToolError */
export async function folderAt(call: PortalCall, path: string): Promise<number> {
  let parent = 0
  for (const name of namesIn(path)) {
    const found = (await entriesNamed(call, parent, name)).find(({ kind }) => kind === 'group')
    if (!found) throw new ToolError(`There is no folder ${path}. List the folders above it to see their names.`)
    parent = Number(found.id)
  }
  return parent
}

/** A file or a folder of the account. @throws ToolError if there is none, or several */
export async function placeAt(
  call: PortalCall,
  path: string,
): Promise<{ folder: number; name: string } | { file: FilePlace }> {
  const names = namesIn(path)
  const name = names.pop()
  if (name === undefined) throw new ToolError('Name a file or a folder, not the root.')
  const parent = await folderAt(call, names.join('/'))
  const found = await entriesNamed(call, parent, name)
  const [one, another] = found
  if (!one) throw new ToolError(`There is nothing at ${path}. List its folder to see what there is.`)
  if (another) throw new ToolError(`Several items are named ${path}. Rename all but one first.`)
  if (one.kind === 'group') return { folder: Number(one.id), name }
  const { id: cid, asset_id: assetId, size } = one
  return { file: { cid, assetId, name, size, isArchive: one.kind === 'folder' } }
}

/** @throws ToolError if it is a folder */
export async function fileAt(call: PortalCall, path: string): Promise<FilePlace> {
  const place = await placeAt(call, path)
  if ('folder' in place) throw new ToolError(`${path} is a folder. Name a file in it.`)
  if (place.file.isArchive) throw new ToolError(`${path} is a folder that was uploaded as one item. Share it instead.`)
  return place.file
}
