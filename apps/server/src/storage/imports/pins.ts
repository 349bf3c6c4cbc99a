import { randomUUID } from 'node:crypto'
import { DAG_PB } from '@tidenet/content/cid'
import { AppError, IMPORT_REASONS, type ImportReason } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { requireNotBlocked } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { folderLimit } from '../folders/service.ts'
import { putIntoTrash } from '../trash/service.ts'
import * as tree from '../tree/tree.ts'
import * as pins from './pins-repository.ts'
import * as repository from './repository.ts'
import { beginIn, cancelIn } from './service.ts'

/** Pinned files and folders are in this folder of the root. If it was renamed, another one is created. */
const FOLDER = 'Pins'

export interface Pin {
  cid: string
  name: string
  meta: Record<string, string>
  /** Kept and returned. Nobody connects to them: contents come from the gateways that the operator named. */
  origins: string[]
}

export interface PinView extends Pin {
  requestid: string
  status: pins.PinStatus
  created: string
  /** What to do about a pin that failed. */
  detail: string
}

interface From {
  ip: string
}

/** All texts of a CID that a client may have written. @throws AppError badCid */
export function spellingsOf(text: string): string[] {
  const { cid } = readCid(text)
  return [text, String(cid), ...(cid.code === DAG_PB ? [String(cid.toV0())] : [])]
}

/** Most pins of an account, with those that ended in the last 60 days. */
export const PINS_MAX = 100_000
/** The Pinning Service API has errors of its own. */
export class TooManyPins extends Error {}

/** @throws TooManyPins; AppError badCid, contentBlocked, importNotOffered, tooManyImports, quotaExceeded, accountClosing, tooManyFolders */
export async function addPin(context: Context, caller: Member, pin: Pin, from: From): Promise<PinView> {
  const { text: cid } = readCid(pin.cid)
  await requireNotBlocked(context.db, cid)
  const { userId } = caller
  const id = randomUUID()
  return context.db.transaction(async (tx) => {
    const group_id = await ensureFolder(context, tx, userId)
    await requireFewPins(tx, userId)
    const name = nameOf(pin.name) ?? cid
    const source = { kind: 'cid' as const, name, group_id, shown: cid, source: { source: cid } }
    const importId = await beginIn(context, tx, caller, source, from)
    await pins.insertPin(tx, { ...pin, content: cid, id, userId, importId, assetId: null, at: now(context) })
    return requirePin(tx, caller, id)
  })
}

async function requireFewPins(tx: Db, userId: number): Promise<void> {
  if ((await pins.countPins(tx, userId)) >= PINS_MAX) throw new TooManyPins()
}

/** Replaces a pin. With the same CID it keeps its file or its import, unless that failed. @throws TooManyPins; AppError as `addPin`, notFound */
export async function replacePin(context: Context, caller: Member, id: string, pin: Pin, from: From): Promise<PinView> {
  const { userId } = caller
  const { text: content } = readCid(pin.cid)
  await requirePin(context.db, caller, id)
  const same = await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, userId)
    const row = await pins.findPin(tx, userId, id)
    if (row?.content !== content || row.status === 'failed') return undefined
    const next = randomUUID()
    const { import_id: importId, asset_id: assetId } = row
    await pins.insertPin(tx, { ...pin, content, id: next, userId, importId, assetId, at: now(context) })
    await pins.deletePin(tx, userId, id)
    return requirePin(tx, caller, next)
  })
  if (same) return same
  const added = await addPin(context, caller, pin, from)
  await removePin(context, caller, id, from)
  return added
}

/** Pins can have names that files cannot. */
const nameOf = (name: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what names must not contain
  const shown = name.replace(/[\\/\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu, '_').trim()
  return shown === '' || /^\.{1,2}$/.test(shown) ? undefined : [...shown].slice(0, 200).join('')
}

async function ensureFolder(context: Context, tx: Db, userId: number): Promise<number> {
  const account = await lockAccountForUpdate(tx, userId)
  const [found] = await tree.findFoldersNamed(tx, userId, [{ parent: 0, name: FOLDER }])
  if (found) return found.id
  const max = folderLimit(account)
  if ((await tree.countFolders(tx, userId)) >= max) throw new AppError('tooManyFolders', { max })
  return tree.insertFolder(tx, userId, 0, FOLDER, now(context))
}

/** @throws AppError notFound */
export async function requirePin(db: Db, { userId }: Pick<Member, 'userId'>, id: string): Promise<PinView> {
  const row = await pins.findPin(db, userId, id)
  if (!row) throw new AppError('notFound')
  return toView(row)
}

export async function listPins(
  { db }: Pick<Context, 'db'>,
  { userId }: Member,
  filter: pins.PinFilter,
): Promise<{ count: number; list: PinView[] }> {
  const { rows, count } = await pins.listPins(db, userId, filter)
  return { count, list: rows.map(toView) }
}

/** With its file, which goes to the trash, unless another pin has the same one. @throws AppError notFound */
export async function removePin(context: Context, caller: Member, id: string, from: From): Promise<void> {
  const { userId } = caller
  const row = await pins.findPin(context.db, userId, id)
  if (!row) throw new AppError('notFound')
  // The file first: if this is interrupted, the pin has ended all the same.
  if (row.asset_id !== null && !(await pins.isShared(context.db, userId, row)))
    await putIntoTrash(context, caller, 'en', { folders: [], assets: [], asset_ids: [row.asset_id] }, from)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, userId)
    const open =
      row.import_id === null ? undefined : await repository.lockImport(tx, { userId, folders: null }, row.import_id)
    if (open) await cancelIn(context, tx, open)
    await pins.deletePin(tx, userId, id)
  })
}

const toView = (row: pins.PinRow): PinView => ({
  requestid: row.id,
  status: row.status,
  created: row.created_at.toISOString(),
  cid: row.cid,
  name: row.name,
  meta: row.meta as Record<string, string>,
  origins: row.origins as string[],
  detail:
    row.status === 'failed' ? (IMPORT_REASONS[row.reason as ImportReason]?.en ?? 'The import was cancelled.') : '',
})
