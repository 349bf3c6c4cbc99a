import { AppError, type DownloadInfo } from '@tidenet/contract'
import { plansOf } from '../../identity/index.ts'
import type { AssetRow } from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import { openTrace } from '../traces/service.ts'
import { dayOf, sentToVisitors, visitorLimit, visitorOf } from '../traces/visitors.ts'
import { downloadTrafficLeft } from '../usage/service.ts'
import { sourcesOf } from './sources.ts'

/** Reading by people who are not the owner: it counts as download traffic of the owner, and is limited for the visitors of each network. */

/** @throws AppError visitorTrafficUsedUp if visitors from this network used up their part of the owner's quota today */
export async function requireVisitTraffic(
  context: Pick<Context, 'db' | 'clock'>,
  { userId, uid: account }: { userId: number; uid: string },
  visitor: string,
): Promise<void> {
  const [sent = 0] = await sentToVisitors(context.db, [{ account, visitor, day: dayOf(now(context)) }])
  // Most visitors are far below any limit.
  if (sent < visitorLimit(0)) return
  const quota = (await plansOf(context.db, [userId])).get(userId)?.downloadTraffic ?? 0
  if (sent >= visitorLimit(quota)) throw new AppError('visitorTrafficUsedUp')
}

/**
 * Sources of a content that everybody may read, for one visitor.
 * @throws AppError downloadQuotaExceeded, visitorTrafficUsedUp, contentBlocked, nodesOffline, noArea
 */
export async function openVisit(
  context: Context,
  visit: {
    owner: { userId: number; uid: string }
    asset: Pick<AssetRow, 'cid' | 'kind' | 'name' | 'size' | 'areas' | 'encrypted' | 'restricted_to'>
    ip: string
    receiptKey: string | undefined
    /** `lastEnded` before it was checked that the visitor may read. */
    ended: number
  },
): Promise<DownloadInfo> {
  const { owner, asset, ip, receiptKey, ended } = visit
  if ((await downloadTrafficLeft(context.db, context.clock, owner.userId)) <= 0)
    throw new AppError('downloadQuotaExceeded')
  const visitor = visitorOf(context, owner.uid, ip)
  await requireVisitTraffic(context, owner, visitor)
  const { cid, name } = asset
  const traceId = await openTrace(context.db, {
    account: owner.uid,
    kind: 'download',
    cid,
    name,
    receiptKey,
    visitor,
    at: now(context),
  })
  return sourcesOf(context, { ...asset, account: owner.uid, traceId, receiptKey, ended })
}
