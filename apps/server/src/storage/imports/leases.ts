import { randomBytes } from 'node:crypto'
import { cidText, parseCid } from '@tidenet/content/cid'
import { folderOfOne } from '@tidenet/content/unixfs'
import {
  type contract,
  IMPORT_FILE_MAX,
  IMPORTS_RUNNING_MAX,
  type ImportJob,
  type ImportReason,
  type OperationName,
  type Parsed,
  type Permission,
  TEMPORARY_REASONS,
} from '@tidenet/contract'
import {
  closeImportAccess,
  findAccountUsage,
  freeStorageOf,
  isKeyUsable,
  lockAccountForUpdate,
  openImportAccess,
  renewImportAccess,
} from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import * as assets from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import { bucketsOf } from '../objects/objects.ts'
import { findImported } from '../traces/service.ts'
import * as tree from '../tree/tree.ts'
import { cancelUploadsOfImport } from '../uploads/service.ts'
import { setPinned } from './pins-repository.ts'
import * as repository from './repository.ts'
import { endImport } from './service.ts'
import { unsealSource } from './sources.ts'

type Operations = (typeof contract)['imports']

/** A worker reports every second. If it was killed, another one takes its import after this time. */
const LEASE_MS = 20_000
/** Workers that may die with an import, or tries after reasons that may pass. */
const ATTEMPTS_MAX = 4
/** How often it is written that a gateway asks. */
const GATEWAY_SEEN_MS = 15_000
/** Imports that cannot begin are ended while a worker looks for one that can. */
const LOOKS_MAX = 50

/** Leases the next import to a gateway. */
export async function claimImport(context: Context): Promise<ImportJob | null> {
  await repository.setGatewaySeen(context.db, now(context), GATEWAY_SEEN_MS)
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const found = await context.db.transaction((tx) => claimIn(context, tx))
    if (found !== 'ended') return found
  }
  return null
}

async function claimIn(context: Context, tx: Db): Promise<ImportJob | null | 'ended'> {
  const at = now(context)
  const next = await repository.findNext(tx, at, IMPORTS_RUNNING_MAX)
  if (!next) return null
  // The account first, as everywhere; and so no two gateways count its running imports at the same time.
  const account = await lockAccountForUpdate(tx, next.user_id)
  const row = await repository.lockNext(tx, next.id, at, IMPORTS_RUNNING_MAX)
  // Another gateway was faster.
  if (!row) return 'ended'
  const isAgain = row.lease !== null || row.attempts > 0
  const stop = async (state: 'failed' | 'cancelled', reason: ImportReason | ''): Promise<'ended'> => {
    await endImport(context, tx, row, { state, reason })
    await closeImportAccess(tx, row.id)
    return 'ended'
  }
  if (isAgain) {
    if (await endIfStored(context, tx, row)) return 'ended'
    await cancelUploadsOfImport(context, tx, { userId: row.user_id, uid: account.uid }, row.id)
  }
  if (row.state === 'cancelling') return stop('cancelled', '')
  if (row.attempts >= ATTEMPTS_MAX) return stop('failed', 'interrupted')
  const isUsable = row.key_id === null || (await isKeyUsable(tx, row.key_id, at))
  const source = unsealSource(context, row)
  if (account.locked || account.closing || !isUsable || !source) return stop('failed', 'access')
  const folder = row.folder_id === 0 ? undefined : await tree.findFolder(tx, row.user_id, row.folder_id)
  if (row.folder_id !== 0 && (!folder || folder.encrypted)) return stop('failed', 'folder')
  const until = new Date(at.getTime() + LEASE_MS)
  const lease = randomBytes(16).toString('hex')
  await repository.lease(tx, row.id, lease, until)
  const token = await openImportAccess(tx, {
    importId: row.id,
    userId: row.user_id,
    keyId: row.key_id ?? undefined,
    targetId: row.folder_id,
    folderId: canRead(row) ? folder?.id : undefined,
    permissions: permissionsFor(row),
    operations: OPERATIONS[row.kind],
    endsAt: until,
  })
  const [bucket] = folder ? await bucketsOf(tx, { userId: row.user_id, folders: [row.folder_id] }) : []
  return {
    id: row.id,
    lease,
    lease_ms: LEASE_MS,
    kind: row.kind,
    source: source.source,
    name: row.name,
    group_id: row.folder_id,
    region: source.region ?? '',
    bucket: source.bucket ?? '',
    prefix: source.prefix ?? '',
    access_key_id: source.accessKeyId ?? '',
    secret_access_key: source.secretAccessKey ?? '',
    to_bucket: bucket?.name ?? '',
    token,
    free: await freeOf(tx, row.user_id),
    file_max: IMPORT_FILE_MAX,
    ipfs_sources: [...context.config.imports.ipfsSources],
    private_too: context.config.imports.privateToo,
  }
}

/**
 * In a folder it can read, to skip what is there. It can only add in the root, and for a content by its CID: that is announced before its
 * bytes are sent, which access that is limited to folders cannot do.
 */
const canRead = ({ kind, folder_id }: Pick<repository.ImportRow, 'kind' | 'folder_id'>): boolean =>
  folder_id !== 0 && kind !== 'cid'

/** Objects of another S3 replace those of the same key. */
const permissionsFor = (row: Pick<repository.ImportRow, 'kind' | 'folder_id'>): Permission[] => [
  'createFile',
  ...(canRead(row) ? (['readFile', 'readFolder'] as const) : []),
  ...(row.kind === 's3' ? (['createFolder', 'deleteFile'] as const) : []),
]

/** What the SDK calls to store a file, and to say that it could not. */
const STORING = ['uploads.info', 'uploads.prove', 'uploads.cancel', 'assets.create', 'traces.report'] as const
/** All that a worker calls with the token of an import. */
const OPERATIONS: Record<repository.ImportRow['kind'], readonly OperationName[]> = {
  url: STORING,
  cid: STORING,
  s3: ['s3.list', 's3.put', 'folderUploads.info', 'uploads.prove', 'uploads.cancel', 'traces.report'],
}

/**
 * Ends an import as done if its file is there: its worker may have died, or not have heard the answer, after it stored the file. Objects of
 * another S3 that are there are skipped instead.
 */
async function endIfStored(context: Context, tx: Db, row: repository.ImportRow): Promise<boolean> {
  const cid = row.kind === 's3' ? undefined : await findImported(tx, row)
  if (cid === undefined || !(await isWanted(row, cid))) return false
  await closeImportAccess(tx, row.id)
  await endDone(context, tx, row, cid)
  return true
}

async function endDone(context: Context, tx: Db, row: repository.ImportRow, cid: string): Promise<void> {
  await endImport(context, tx, row, { state: 'done', cid })
  await setPinned(tx, { id: row.id, folderId: row.folder_id, cid })
}

async function freeOf(tx: Db, userId: number): Promise<number> {
  const account = await findAccountUsage(tx, userId)
  return Math.max(0, freeStorageOf(account))
}

export const reportProgress = (
  context: Context,
  { id, lease, ...counts }: Parsed<Operations['progress']>,
): Promise<{ go: boolean; free: number; awaited: boolean }> =>
  context.db.transaction(async (tx) => {
    const row = await repository.lockLeased(tx, id, lease)
    if (!row) return { go: false, free: 0, awaited: false }
    const at = now(context)
    const until = new Date(at.getTime() + LEASE_MS)
    await repository.setProgress(tx, id, counts, until)
    await renewImportAccess(tx, id, until)
    const awaited = await repository.isAwaited(tx, row.user_id, at, IMPORTS_RUNNING_MAX)
    return { go: row.state === 'running', free: await freeOf(tx, row.user_id), awaited }
  })

/**
 * Ends an import, or queues it again after a reason that may pass. A worker without the lease changes nothing, so it can be called again.
 */
export const finishImport = (
  context: Context,
  { id, lease, reason, cid, ...counts }: Parsed<Operations['finish']>,
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const at = now(context)
    const found = await repository.findLeased(tx, id, lease)
    if (!found) return
    const { uid } = await lockAccountForUpdate(tx, found.user_id)
    const leased = await repository.lockLeased(tx, id, lease)
    if (!leased) return
    const row = { ...leased, wrapped_bytes: counts.wrapped_bytes || leased.wrapped_bytes }
    await repository.setProgress(tx, id, counts, at)
    await closeImportAccess(tx, id)
    if (reason === '' && row.kind === 's3') return endImport(context, tx, row, { state: 'done' })
    if (reason === '') {
      // What the worker says is a hint: the entry shows that the account has it.
      const entry = (await isWanted(row, cid)) && (await assets.findAsset(tx, row.user_id, { cid }))
      if (!entry) return endImport(context, tx, row, { state: 'failed', reason: 'storing' })
      return endDone(context, tx, row, cid)
    }
    if (await endIfStored(context, tx, row)) return
    await cancelUploadsOfImport(context, tx, { userId: row.user_id, uid }, id)
    if (row.state === 'cancelling') return endImport(context, tx, row, { state: 'cancelled' })
    // Its gateway is being stopped, or it was others' turn, which is no fault of the import.
    if (reason === 'interrupted')
      return void (await repository.requeue(tx, id, { reason, due: at, attempts: row.attempts - 1 }))
    if (TEMPORARY_REASONS.includes(reason) && row.attempts < ATTEMPTS_MAX) {
      const due = new Date(at.getTime() + backoff(context, row.attempts))
      return void (await repository.requeue(tx, id, { reason, due, attempts: row.attempts }))
    }
    await endImport(context, tx, row, { state: 'failed', reason })
  })

/**
 * Whether an import by CID wants a content: the one that was asked for, or the folder that a gateway makes for a file without raw leaves, whose
 * CID proves that the file is in it. Other imports take what they find.
 */
async function isWanted(
  {
    kind,
    source,
    name,
    wrapped_bytes: bytes,
  }: Pick<repository.ImportRow, 'kind' | 'source' | 'name' | 'wrapped_bytes'>,
  cid: string,
): Promise<boolean> {
  if (kind !== 'cid' || cid === source) return true
  return bytes > 0 && cid === cidText((await folderOfOne(name || source, parseCid(source), bytes)).cid)
}

/** 5, 25, 125 seconds. */
const backoff = ({ config }: Pick<Context, 'config'>, attempts: number): number =>
  config.pace === 'quick' ? 100 : 1000 * 5 ** attempts

/** Ends imports that were cancelled while their worker died, if no other worker asks. */
export async function endCancelled(context: Context): Promise<void> {
  for (;;) {
    const ended = await context.db.transaction(async (tx) => {
      const at = now(context)
      const found = await repository.findCancelled(tx, at)
      if (!found) return false
      const { uid } = await lockAccountForUpdate(tx, found.user_id)
      const row = await repository.lockCancelled(tx, found.id, at)
      if (!row) return true
      await cancelUploadsOfImport(context, tx, { userId: row.user_id, uid }, row.id)
      await endImport(context, tx, row, { state: 'cancelled' })
      await closeImportAccess(tx, row.id)
      return true
    })
    if (!ended) return
  }
}
