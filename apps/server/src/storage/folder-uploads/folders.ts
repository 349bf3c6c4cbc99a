import { AppError, type contract, FOLDER_BATCH_MAX, type Output, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { folderLimit, lockTargetFolder } from '../folders/service.ts'
import * as tree from '../tree/tree.ts'

type Operation = (typeof contract)['folderUploads']['folders']

interface Wanted {
  path: string
  name: string
  /** The path of the folder that it is in; empty: `parent` itself. */
  above: string
}

/**
 * Finds or creates all folders on these paths, level by level.
 * @throws AppError folderUnknown, tooManyFolders, invalidParams for more folders than one call may name
 */
export async function createFolders(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  { parent, paths }: Parsed<Operation>,
): Promise<Output<Operation>['list']> {
  const levels = levelsOf(paths)
  return context.db.transaction(async (tx) => {
    const user = await lockAccountForUpdate(tx, caller.userId)
    await lockTargetFolder(tx, caller.userId, parent)
    const max = folderLimit(user)
    let count = await tree.countFolders(tx, caller.userId)
    const known = new Map<string, { id: number; created: boolean }>([['', { id: parent, created: false }]])
    const put = (rows: readonly tree.NamedFolder[], level: readonly Wanted[], created: boolean) => {
      const ids = new Map(rows.map((row) => [`${row.parent_id}/${row.name}`, row.id]))
      for (const { path, name, above } of level) {
        const id = ids.get(`${known.get(above)?.id}/${name}`)
        if (id !== undefined) known.set(path, { id, created })
      }
    }
    for (const level of levels) {
      const placed = ({ above, name }: Wanted) => ({ parent: known.get(above)?.id as number, name })
      put(await tree.findFoldersNamed(tx, caller.userId, level.map(placed)), level, false)
      const missing = level.filter(({ path }) => !known.has(path))
      if (missing.length === 0) continue
      count += missing.length
      if (count > max) throw new AppError('tooManyFolders', { max })
      put(await tree.insertFolders(tx, caller.userId, missing.map(placed), now(context)), missing, true)
    }
    return paths.map((path) => ({ path, ...(known.get(path) as { id: number; created: boolean }) }))
  })
}

/** Every folder that the paths name, once, the outermost first. @throws AppError invalidParams */
function levelsOf(paths: readonly string[]): Wanted[][] {
  const levels: Map<string, Wanted>[] = []
  let count = 0
  for (const path of paths) {
    let above = ''
    for (const [depth, name] of path.split('/').entries()) {
      const here = above === '' ? name : `${above}/${name}`
      levels[depth] ??= new Map()
      if (!levels[depth].has(here)) {
        count += 1
        if (count > FOLDER_BATCH_MAX) throw new AppError('invalidParams', { field: 'paths' })
        levels[depth].set(here, { path: here, name, above })
      }
      above = here
    }
  }
  return levels.map((level) => [...level.values()])
}
