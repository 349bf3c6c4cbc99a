import { cidOfDigest, cidText, DAG_PB, RAW } from '@tidenet/content/cid'
import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { blockedAmong, lastEnded } from '../../network/index.ts'
import { type Context, now } from '../context.ts'
import { openVisit } from '../downloads/visits.ts'
import * as repository from './repository.ts'

type Publications = (typeof contract)['publications']

/** Several accounts may publish the same block: if the traffic of one is used up, the gateway takes the next. */
const FOUND_MAX = 5

/**
 * The publications through which everybody may read a block. This is the only question that decides it: whether an account has the block
 * privately has no part in it.
 */
export async function findPublications(
  context: Pick<Context, 'db' | 'clock'>,
  { digest: hex }: Parsed<Publications['find']>,
): Promise<Output<Publications['find']>> {
  const { db } = context
  const digest = Buffer.from(hex, 'hex')
  const named = [RAW, DAG_PB].map((codec) => cidText(cidOfDigest(codec as typeof RAW, digest)))
  const rows = await repository.findServing(db, digest, named, now(context), FOUND_MAX)
  if (rows.length === 0) return { list: [] }
  const [blocked, accounts] = await Promise.all([
    blockedAmong(db, [...named, ...rows.map(({ cid }) => cid)]),
    accountsOf(db, [...new Set(rows.map(({ user_id }) => user_id))]),
  ])
  if (named.some((cid) => blocked.has(cid))) return { list: [] }
  const isOpen = (userId: number) => {
    const account = accounts.get(userId)
    return account !== undefined && !account.locked && !account.closing
  }
  return {
    list: rows
      .filter(({ cid, user_id }) => !blocked.has(cid) && isOpen(user_id))
      .map(({ id, cid, kind, name, size, blocks, inner_node }) => ({
        id,
        root: cid,
        kind,
        name,
        size,
        blocks,
        inner: inner_node,
      })),
  }
}

/** Nodes of a publication, for a visitor. What it reads counts as download traffic of the publisher. @throws AppError as the contract declares */
export async function openPublication(
  context: Context,
  { id, ip, receipt_key: receiptKey }: Parsed<Publications['open']>,
): Promise<Output<Publications['open']>> {
  const ended = await lastEnded(context.db)
  const served = await repository.findServed(context.db, id, now(context))
  const owner = served && (await accountsOf(context.db, [served.user_id])).get(served.user_id)
  if (!served || !owner || owner.locked || owner.closing) throw new AppError('notFound')
  const sources = await openVisit(context, {
    owner: { userId: owner.id, uid: owner.uid },
    asset: { ...served, encrypted: false, restricted_to: null },
    ip,
    receiptKey,
    ended,
  })
  return { sources }
}
