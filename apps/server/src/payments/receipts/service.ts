import { AppError, type contract, type Output } from '@tidenet/contract'
import type { ReceiptKind, Stated } from '@tidenet/receipts'
import { ownedSince } from '../../network/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { findReceipt, proveReceipt } from '../../platform/transparency-log/read.ts'
import { traceBegan } from '../../storage/index.ts'
import { findAnchor } from '../anchors/anchors.ts'
import type { Context } from '../context.ts'

type ReceiptFile = Output<typeof contract.receipts.get>
type Deps = Pick<Context, 'db' | 'keys'>

/** Kinds that also belong to the owner of the node. An upload does not: who stores what is not the business of a node. */
const OF_NODES: readonly ReceiptKind[] = ['download', 'node_hour']
/** Kinds that API keys can read: keys give access to files, not to money. */
const OF_FILES: readonly ReceiptKind[] = ['upload', 'download']

/** @throws AppError notFound, also for receipts of others; receiptPending until it is in the log */
export async function readReceipt(context: Deps, caller: Member, id: number): Promise<ReceiptFile> {
  const found = await findReceipt(context, id)
  if (!found || !(await canRead(context, caller, found))) throw new AppError('notFound')
  const { logged, ...entry } = found
  if (!logged) throw new AppError('receiptPending')
  const anchor = await findAnchor(context, logged.index)
  const proven = await proveReceipt(context, entry, anchor ? { ...logged, log: anchor } : logged)
  return {
    tidenet: 'receipt',
    version: 1,
    ...proven,
    key: context.keys.receiptPublic.x as string,
    anchor: anchor
      ? {
          chain: anchor.chain,
          height: anchor.height,
          account: anchor.account,
          hash: anchor.hash,
          tx: anchor.bytes.toString('base64'),
        }
      : null,
  }
}

async function canRead(
  { db }: Deps,
  caller: Member,
  { claims, iat }: { claims: Stated; iat: number },
): Promise<boolean> {
  const { kind } = claims
  if (caller.via !== 'session' && !OF_FILES.includes(kind)) return false
  if ('sub' in claims && claims.sub === caller.uid) return true
  // Keys and teams give access to files of the account, not to what its devices sent to others.
  if (caller.via !== 'session') return false
  if (!('node' in claims) || claims.node === undefined || !OF_NODES.includes(kind)) return false
  // It is the business of the account that it earned for, also after the device has another owner.
  if (kind === 'node_hour' && 'sub' in claims) return false
  const since = await ownedSince(db, claims.node, caller.userId)
  if (!since) return false
  if (kind !== 'download') return true
  // It names who downloaded what: that is not the business of a later owner. After 90 days, only the second of the receipt is known.
  const began = (await traceBegan(db, claims.trace)) ?? new Date((iat + 1) * 1000)
  return began >= since
}
