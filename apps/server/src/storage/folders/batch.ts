import { AppError, type contract, type ItemResult, type Lang, type Output, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import { findUnencrypted, moveAssets } from '../assets/assets.ts'
import { hasAssets, namedAssets, readAssets } from '../assets/named-assets.ts'
import type { Context } from '../context.ts'
import { failedItem } from '../trash/service.ts'
import { findBelow, findEmptyBelow } from '../tree/tree.ts'
import { lockTargetFolder, moveInto } from './service.ts'

type Deps = Pick<Context, 'db'>
type Folders = (typeof contract)['folders']

/**
 * Moves files and folders into one folder, with a result for each.
 * @throws AppError folderUnknown for the target, forbidden for an API key without the permission, badCid
 */
export async function moveMany(
  { db }: Deps,
  caller: Member,
  lang: Lang,
  { folders, target, ...input }: Parsed<Folders['moveMany']>,
): Promise<ItemResult[]> {
  if (hasAssets(input)) requirePermission(caller, 'createFile')
  if (folders.length > 0) requirePermission(caller, 'createFolder')
  const asked = readAssets(input)
  return db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const { encrypted } = await lockTargetFolder(tx, caller.userId, target)
    const results: ItemResult[] = []
    for (const id of new Set(folders)) {
      const refusal = await refusalOf(() => moveInto(tx, caller.userId, id, target))
      results.push(refusal ? failedItem({ id: String(id) }, refusal, lang) : { id: String(id), ok: true })
    }
    results.push(...(await moveFiles(tx, caller, lang, asked, { id: target, encrypted })))
    return results
  })
}

/** Runs `work`, which changes nothing if it throws. @returns the AppError that it threw */
async function refusalOf(work: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function moveFiles(
  tx: Db,
  caller: Member,
  lang: Lang,
  asked: ReturnType<typeof readAssets>,
  target: { id: number; encrypted: boolean },
): Promise<ItemResult[]> {
  if (!hasAssets(asked)) return []
  const named = await namedAssets(tx, caller, asked)
  const entries = named.flatMap(({ entry }) => entry?.id ?? [])
  const plain = target.encrypted ? await findUnencrypted(tx, caller.userId, entries) : new Set<number>()
  const moving = entries.filter((id) => !plain.has(id))
  const moved = await moveAssets(tx, caller.userId, moving, target.id)
  const refusal = (id: number) => (plain.has(id) ? 'folderEncrypted' : 'moveSame')
  return named.map(({ entry, ...item }) =>
    entry && moved.has(entry.id)
      ? { ...item, ok: true }
      : failedItem(item, new AppError(entry ? refusal(entry.id) : 'assetUnknown'), lang),
  )
}

const BATCH = 1000

/** These files and all files below these folders, with their paths, in pages. @throws AppError forbidden, badCid */
export async function manifest(
  { db }: Deps,
  caller: Member,
  { folders, after, ...input }: Parsed<Folders['manifest']>,
): Promise<Output<Folders['manifest']>> {
  if (folders.length > 0) requirePermission(caller, 'readFolder')
  const named = await namedAssets(db, caller, readAssets(input))
  const ids = named.flatMap(({ entry }) => entry?.id ?? [])
  const rows = await findBelow(db, caller.userId, ids, folders, after, BATCH + 1)
  const list = rows.slice(0, BATCH)
  const last = rows.length > BATCH ? list.at(-1) : undefined
  return {
    list,
    empty: after === 0 && folders.length > 0 ? await findEmptyBelow(db, caller.userId, folders) : [],
    ...(last && { next: last.asset_id }),
  }
}
