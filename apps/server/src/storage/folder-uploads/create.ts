import { AppError, type contract, type ItemResult, type Lang, type Parsed, type ReceiptClaims } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import type { Db } from '../../platform/db/db.ts'
import { withSavepoint } from '../../platform/db/savepoint.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { afterListing, createEntry } from '../files/service.ts'
import { type Claim, claimChecker } from '../receipts/claims.ts'
import { storeReceipts } from '../receipts/store-many.ts'
import { lockOpenUpload } from '../traces/service.ts'
import { failedItem } from '../trash/service.ts'
import { readProof } from '../uploads/proofs.ts'
import type { Checked, File } from './checked.ts'
import { listPlain } from './list-plain.ts'

type Operation = (typeof contract)['folderUploads']['create']
type Result = ItemResult & { item: number }

/** Adds uploaded files to the account: as `createAsset`, for many files in one transaction. One that is refused does not affect the others. */
export async function createAssets(
  context: Context,
  caller: Member,
  lang: Lang,
  input: Parsed<Operation>,
): Promise<Result[]> {
  const areas = readAreas(input.area_id)
  const results = new Map<File, AppError | undefined>()
  const checked: Checked[] = []
  const claimOf = ({ asset_cid: cid, receipt }: File): Claim => ({ cid, receipt })
  const read = await claimChecker(context.db, input.files.map(claimOf))
  for (const file of input.files)
    try {
      if (file.asset_size === 0 && !input.allow_empty) throw new AppError('emptyFile')
      checked.push(await check(context, caller, file, read(claimOf(file))))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.set(file, error)
    }
  // Those that are new are added in this order by all calls, so that calls of two accounts cannot wait for each other.
  checked.sort((a, b) => (a.cid < b.cid ? -1 : 1))
  await context.db.transaction(async (tx) => {
    const [account, offered] = await Promise.all([
      lockAccountForUpdate(tx, caller.userId),
      input.trace_id === '' ? undefined : lockOpenUpload(tx, caller.userId, input.trace_id),
      placement.lockAllContents(
        tx,
        checked.map(({ cid }) => cid),
      ),
    ])
    const folderTrace = offered ? input.trace_id : ''
    // Receipts stay accepted if their files are refused afterwards, for example by the quota.
    await storeReceipts(
      { ...context, db: tx },
      checked.flatMap(({ claims }) => (claims ? [claims] : [])),
      account,
    )
    const plain = await listPlain(context, tx, caller, checked, { areas, folderTrace })
    for (const [{ file }, outcome] of plain) results.set(file, typeof outcome === 'number' ? undefined : outcome)
    for (const each of checked.filter((one) => !plain.has(one)))
      results.set(each.file, await createOne(context, tx, caller, { ...each, areas, folderTrace }))
    const listed = checked.filter(({ file }) => results.get(file) === undefined).map(({ cid }) => cid)
    if (listed.length > 0) await afterListing(context, tx, caller.userId, listed)
  })
  return input.files.map((file) => {
    const refusal = results.get(file)
    const result = refusal ? failedItem({ id: file.asset_cid }, refusal, lang) : { id: file.asset_cid, ok: true }
    return { ...result, item: file.item }
  })
}

/** @throws AppError proofFailed */
async function check(
  context: Context,
  caller: Member,
  file: File,
  { cid, receipt }: { cid: string; receipt: ReceiptClaims | undefined },
): Promise<Checked> {
  // One of another account proves nothing here, and would lock that account.
  const claims = receipt?.sub === caller.uid ? receipt : undefined
  const proven = file.proof !== undefined && (await readProof(context, file.proof, caller.uid, cid))
  if (file.proof !== undefined && !proven) throw new AppError('proofFailed')
  return { file, cid, claims, proven }
}

/** @returns why it was refused, if it was */
async function createOne(
  context: Context,
  tx: Db,
  caller: Member,
  { file, cid, proven, areas, folderTrace }: Checked & { areas: string[]; folderTrace: string },
): Promise<AppError | undefined> {
  const created = await withSavepoint(tx, async () => {
    const { item: _, ...entry } = file
    const creation = {
      ...entry,
      asset_type: 'file' as const,
      node_id: '',
      need_trace: false,
      cid,
      areas,
      proven,
      folderTrace,
      own: undefined,
      ongoing: true as const,
    }
    const outcome = await createEntry(context, tx, caller, { ...creation, area_id: undefined, area_ids: undefined })
    if (outcome.state === 'exists') throw new AppError('assetExists')
    // Nothing shows that the account has these bytes; here they cannot be announced, because all files have been sent.
    if (outcome.state === 'announced') throw new AppError('proofFailed')
  })
  return created instanceof AppError ? created : undefined
}
