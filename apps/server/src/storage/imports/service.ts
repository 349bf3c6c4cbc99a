import {
  AppError,
  type contract,
  IMPORTS_OPEN_MAX,
  IMPORTS_PER_DAY,
  type ImportItem,
  type ImportKind,
  type ImportReason,
  importErrorText,
  type Lang,
  type Parsed,
} from '@tidenet/contract'
import { closeImportAccess, freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { requireNotBlocked } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { lockTargetFolder } from '../folders/service.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import * as repository from './repository.ts'
import { readOutsideUrl, type Source, sealSource, shownUrl, unsealSource } from './sources.ts'

type Operations = (typeof contract)['imports']
interface From {
  ip: string
}

/** Gateways ask every few seconds. So long after the last one, imports are not offered any more: longer than one takes to start again. */
const GATEWAY_GONE_MS = 10 * 60_000

/** Which kinds of imports there are: gateways of the operator fetch them. */
export async function offered(
  context: Pick<Context, 'config' | 'clock'>,
  db: Db,
): Promise<Record<ImportKind, boolean>> {
  const { config } = context
  const hasGateways =
    config.s3GatewaySecret !== '' && (await repository.hasGateway(db, ago(now(context), GATEWAY_GONE_MS)))
  return { url: hasGateways, cid: hasGateways && config.imports.ipfsSources.length > 0, s3: hasGateways }
}

export function importUrl(context: Context, caller: Member, input: Parsed<Operations['url']>, from: From) {
  const url = readOutsideUrl(context, input.url)
  return begin(context, caller, { ...input, kind: 'url', shown: shownUrl(url), source: { source: url.href } }, from)
}

export async function importCid(context: Context, caller: Member, input: Parsed<Operations['cid']>, from: From) {
  const { text: cid } = readCid(input.cid)
  await requireNotBlocked(context.db, cid)
  return begin(context, caller, { ...input, kind: 'cid', shown: cid, source: { source: cid } }, from)
}

export function importS3(context: Context, caller: Member, input: Parsed<Operations['s3']>, from: From) {
  const { bucket, prefix, region, group_id } = input
  const endpoint = readOutsideUrl(context, input.endpoint)
  if (endpoint.search !== '') throw new AppError('importUrl')
  const source = {
    source: endpoint.href.replace(/\/+$/, ''),
    region,
    bucket,
    prefix,
    accessKeyId: input.access_key_id,
    secretAccessKey: input.secret_access_key,
  }
  const shown = `${source.source}/${bucket}/${prefix}`
  return begin(context, caller, { kind: 's3', name: '', group_id, shown, source }, from)
}

interface Beginning {
  kind: ImportKind
  name: string
  group_id: number
  /** The source as people see it. */
  shown: string
  source: Source
}

/** @throws AppError importNotOffered, tooManyImports, folderUnknown, folderEncrypted, quotaExceeded, accountClosing */
export const begin = (context: Context, caller: Member, beginning: Beginning, from: From): Promise<number> =>
  context.db.transaction((tx) => beginIn(context, tx, caller, beginning, from))

/** The same in a transaction of the caller. */
export async function beginIn(
  context: Context,
  tx: Db,
  caller: Member,
  { kind, name, group_id, shown, source }: Beginning,
  from: From,
): Promise<number> {
  const at = now(context)
  await requireRoom(context, tx, caller, { kind, folderId: group_id }, at)
  const row = { user_id: caller.userId, key_id: keyOf(caller), kind, source: shown, name, folder_id: group_id }
  const id = await repository.insertImport(tx, row, at)
  await repository.setSealed(tx, id, sealSource(context, id, source))
  const detail = { kind, source: shown, folder: group_id }
  await audit(tx, context, caller, from, { action: 'import.begin', subject: `import:${id}`, detail })
  return id
}

/** The API key of the caller. @throws AppError forbidden for a gateway that acts for an import; keyCapped for a key whose cap would not count it */
function keyOf({ via, credential, hasTrafficCap }: Member): number | null {
  if (via !== 'key') return null
  if (hasTrafficCap) throw new AppError('keyCapped')
  if (!/^\d+$/.test(credential)) throw new AppError('forbidden')
  return Number(credential)
}

/** Locks the account and the folder. */
async function requireRoom(
  context: Context,
  tx: Db,
  { userId }: Member,
  { kind, folderId }: { kind: ImportKind; folderId: number },
  at: Date,
): Promise<void> {
  if (!(await offered(context, tx))[kind]) throw new AppError('importNotOffered')
  const account = await lockAccountForUpdate(tx, userId)
  await requireOpenAccount(tx, account)
  const { open, begun } = await repository.countImports(tx, userId, ago(at, DAY))
  if (open >= IMPORTS_OPEN_MAX || begun >= IMPORTS_PER_DAY)
    throw new AppError('tooManyImports', { max: IMPORTS_OPEN_MAX, perDay: IMPORTS_PER_DAY })
  if ((await lockTargetFolder(tx, userId, folderId)).encrypted) throw new AppError('folderEncrypted')
  const free = freeStorageOf(account)
  if (free <= 0) throw new AppError('quotaExceeded', { free: 0 })
}

export async function listImports(
  { db }: Pick<Context, 'db'>,
  { userId, folders }: Member,
  { page, page_size }: Parsed<Operations['list']>,
  lang: Lang,
): Promise<{ list: ImportItem[]; total: number }> {
  const { rows, total } = await repository.listImports(
    db,
    { userId, folders },
    { limit: page_size, offset: (page - 1) * page_size },
  )
  return { list: rows.map((row) => toWire(row, lang)), total }
}

const toWire = (row: repository.ImportRow, lang: Lang): ImportItem => ({
  id: row.id,
  kind: row.kind,
  source: row.source,
  name: row.name,
  group_id: row.folder_id,
  state: row.state,
  received: row.received,
  total: row.total,
  done: row.done,
  skipped: row.skipped,
  failed: row.failed,
  objects: row.objects,
  archived: row.archived,
  problems: (row.problems as repository.Problem[]).map(({ key, reason }) => ({
    key,
    reason,
    error: reasonText(reason, lang),
  })),
  reason: row.state === 'failed' || row.state === 'queued' ? row.reason : '',
  error: importErrorText(row.state, row.reason, lang),
  cid: row.cid,
  created: row.created_at.toISOString(),
  ended: row.ended_at?.toISOString() ?? null,
})

const reasonText = (reason: string, lang: Lang): string => importErrorText('failed', reason, lang)

/** A worker that has it stops within seconds. @throws AppError notFound */
export const cancelImport = (
  context: Context,
  { userId, folders, ...actor }: Member,
  id: number,
  from: From,
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const row = await repository.lockImport(tx, { userId, folders }, id)
    if (!row) throw new AppError('notFound')
    if (await cancelIn(context, tx, row))
      await audit(tx, context, { userId, ...actor }, from, {
        action: 'import.cancel',
        subject: `import:${id}`,
        detail: { source: row.source },
      })
  })

/** @returns whether it had not ended */
export async function cancelIn(context: Context, tx: Db, row: repository.ImportRow): Promise<boolean> {
  if (row.state === 'running') await repository.setCancelling(tx, row.id)
  else if (row.state === 'queued') {
    await endImport(context, tx, row, { state: 'cancelled' })
    await closeImportAccess(tx, row.id)
  } else return row.state === 'cancelling'
  return true
}

/** Ends an import, and forgets what is secret of its source. */
export async function endImport(
  context: Context,
  tx: Db,
  row: Pick<repository.ImportRow, 'id' | 'kind' | 'sealed'>,
  {
    state,
    reason = '',
    cid = '',
  }: { state: 'done' | 'failed' | 'cancelled'; reason?: ImportReason | ''; cid?: string },
): Promise<void> {
  const keepsSource = state !== 'done'
  await repository.end(tx, row.id, { state, reason, cid, keepsSource }, now(context))
  if (!keepsSource || row.kind !== 's3') return
  const source = unsealSource(context, row)
  if (source) await repository.setSealed(tx, row.id, sealSource(context, row.id, { ...source, secretAccessKey: '' }))
}

/** @throws AppError notFound, importSecret, and as `begin` */
export const retryImport = (
  context: Context,
  caller: Member,
  { id, secret_access_key: secret }: Parsed<Operations['retry']>,
  from: From,
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const at = now(context)
    const { userId, folders } = caller
    keyOf(caller)
    // The account first, as everywhere.
    await lockAccountForUpdate(tx, userId)
    const row = await repository.lockImport(tx, { userId, folders }, id)
    const source = row && unsealSource(context, row)
    if (!source || (row.state !== 'failed' && row.state !== 'cancelled')) throw new AppError('notFound')
    if (row.kind === 's3' && secret === '') throw new AppError('importSecret')
    await requireRoom(context, tx, caller, { kind: row.kind, folderId: row.folder_id }, at)
    if (row.kind === 's3')
      await repository.setSealed(tx, id, sealSource(context, id, { ...source, secretAccessKey: secret }))
    await repository.restart(tx, id, keyOf(caller), at, ago(at, DAY))
    const detail = { source: row.source }
    await audit(tx, context, caller, from, { action: 'import.retry', subject: `import:${id}`, detail })
  })
