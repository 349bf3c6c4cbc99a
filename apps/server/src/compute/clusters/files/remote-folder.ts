import { errors, type FolderProblem, type FolderSkip } from '@tidenet/contract'
import { type Failure, isSuccess, type Result, type Storage } from '@tidenet/storage'

/** The folder in the account's storage, seen with its API key. */

/** Why nothing more can be copied or saved now. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly problem: FolderProblem
  constructor(problem: FolderProblem, note: string) {
    super(note)
    this.problem = problem
  }
}

/** What a refusal of the portal means for the folder. */
export function problemOf({ code, data }: Failure): FolderProblem {
  const { err } = data
  if (err === errors.quotaExceeded.err) return 'quota'
  if (err === errors.downloadQuotaExceeded.err) return 'traffic'
  if (err === errors.folderUnknown.err) return 'folder'
  if (
    code === 401 ||
    code === 403 ||
    err === errors.forbidden.err ||
    err === errors.unauthorized.err ||
    err === errors.keyRejected.err ||
    err === errors.keyExpired.err
  )
    return 'key'
  if (err === undefined || err === errors.nodesOffline.err || err === errors.noArea.err) return 'away'
  return 'failed'
}

/** @throws Stopped */
export function need<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  throw new Stopped(problemOf(result), result.msg)
}

/** Characters of all paths together: they are kept in memory, and stored. */
const NAMES_MAX = 8 * 1024 * 1024

/** Counts paths. @param exceed is called, and throws, at more than `max` of them, or if they are too long */
export function nameLimit(max: number, exceed: () => never): (path: string) => void {
  let count = 0
  let length = 0
  return (path) => {
    count += 1
    length += path.length
    if (count > max || length > NAMES_MAX) exceed()
  }
}

export interface RemoteFile {
  cid: string
  size: number
}

/**
 * All files in the folder and its subfolders, by path.
 * @param skip is told what cannot be copied
 * @throws Stopped
 */
export async function listRemote(
  storage: Storage,
  folder: number,
  { maxFiles, skip }: { maxFiles: number; skip: (path: string, reason: FolderSkip) => void },
): Promise<Map<string, RemoteFile>> {
  // A folder that was deleted is told apart from an empty one.
  need(await storage.api.call('folders.contents', { parent: folder, page: 1, page_size: 1 }))
  const files = new Map<string, RemoteFile>()
  // Also what cannot be copied.
  const countName = nameLimit(maxFiles, () => {
    throw new Stopped('many', `The folder has more than ${maxFiles} files.`)
  })
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: {
      list: { path: string; cid: string; size: number; kind: string; encrypted: boolean }[]
      next?: number
    } = need(await storage.api.call('folders.manifest', { assets: [], folders: [folder], after }))
    for (const { path: full, cid, size, kind, encrypted } of page.list) {
      // The first name is that of the folder.
      const path = full.slice(full.indexOf('/') + 1)
      countName(path)
      if (kind !== 'file') skip(path, 'sealed')
      else if (encrypted) skip(path, 'encrypted')
      else if (files.has(path)) skip(path, 'twice')
      else files.set(path, { cid, size })
    }
    after = page.next
  }
  return files
}

/** Finds or creates folders below the folder. */
export function remoteFolders(storage: Storage, root: number): (names: readonly string[]) => Promise<number> {
  const known = new Map<string, Map<string, number>>()
  const childrenOf = async (id: number, path: string): Promise<Map<string, number>> => {
    const present = known.get(path)
    if (present) return present
    const children = new Map<string, number>()
    for (let page = 1; ; page++) {
      const { list, total } = need(await storage.api.call('folders.list', { parent: id, page, page_size: 100 }))
      for (const { ID, Name } of list) children.set(Name, ID)
      if (list.length === 0 || page * 100 >= total) break
    }
    known.set(path, children)
    return children
  }
  return async (names) => {
    let id = root
    let path = ''
    for (const name of names) {
      const children = await childrenOf(id, path)
      const found = children.get(name)
      id = found ?? need(await storage.api.call('folders.create', { name, parent: id })).group.ID
      path = `${path}/${name}`
      if (found === undefined) {
        children.set(name, id)
        known.set(path, new Map())
      }
    }
    return id
  }
}
