import { AppError, type contract, FILES_END_DAYS, type Output, type Parsed } from '@tidenet/contract'
import { limitsOf, lockAccountForUpdate, notify, plansOf, teamNames } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Member } from '../../platform/http/callers.ts'
import { endings } from '../assets/assets.ts'
import { type Context, type Db, now } from '../context.ts'
import { assetExpiry } from '../lifetimes.ts'
import { endingEmail } from './ending-emails.ts'

type Assets = (typeof contract)['assets']
type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** A file that could not be announced in time is kept this long after the announcement. */
const NOTICE_MS = 7 * DAY
/** What ends a little later is announced too, so that somebody who uploads every day gets few e-mails. */
const STAGES = { first: [FILES_END_DAYS, 7], second: [7, 3], last: [1, 1] } as const
const ACCOUNTS = 200
const NAMED = 10

/**
 * Announces files that end: once about 30 days before, a week before and a day before, all files of an account in one e-mail. Files of
 * accounts with a paid plan do not end while the plan is active. Nothing ends that was not announced at least a week before.
 */
export async function announceEndings(context: Deps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const at = now(context)
    const due = await endings.findAccountsToTell(context.db, daysAfter(at), ACCOUNTS)
    for (const userId of due) await context.db.transaction((tx) => announce(context, tx, userId, at))
    if (due.length < ACCOUNTS || signal?.aborted) return
  }
}

/** When files end that are announced at each stage. @param margin whether with those that end a little later */
const daysAfter = (at: Date, margin: 0 | 1 = 0): endings.Stages => {
  const after = ([days, more]: readonly [number, number]) => new Date(at.getTime() + (days + margin * more) * DAY)
  return { first: after(STAGES.first), second: after(STAGES.second), last: after(STAGES.last) }
}

async function announce(context: Deps, tx: Db, userId: number, at: Date): Promise<void> {
  await lockAccountForUpdate(tx, userId)
  const stages = daysAfter(at, 1)
  const plan = (await plansOf(tx, [userId])).get(userId)
  if (plan?.vip) {
    await endings.extendBefore(tx, userId, stages.first, assetExpiry(at))
    return
  }
  await endings.postponeUntold(tx, userId, new Date(at.getTime() + NOTICE_MS))
  const told = await endings.markTold(tx, userId, stages, NAMED)
  const [first] = told
  if (!first) return
  const team = (await teamNames(tx, [userId])).get(userId) ?? ''
  const page = `${context.portalUrl()}/endingFiles`
  await notify(context, tx, userId, 'ending', (lang) =>
    endingEmail(lang, { files: told, total: first.total, team }, page),
  )
}

/** A page of the files that end within some days, the first ones first. */
export async function listEnding(
  context: Pick<Context, 'db' | 'clock'>,
  { userId }: Member,
  { days, page, page_size }: Parsed<Assets['ending']>,
): Promise<Output<Assets['ending']>> {
  const { db } = context
  const at = now(context)
  const before = new Date(at.getTime() + days * DAY)
  const plan = (await plansOf(db, [userId])).get(userId)
  const [rows, total] = await Promise.all([
    endings.pageOfEnding(db, userId, before, page_size, (page - 1) * page_size),
    endings.countEnding(db, userId, before),
  ])
  return {
    list: rows.map(({ id, expires_at, ...row }) => ({ asset_id: id, ...row, expires_at: expires_at.toISOString() })),
    total,
    extended_until: assetExpiry(at).toISOString(),
    kept: plan?.vip ?? false,
  }
}

/**
 * Keeps files that end soon as long as new ones. @throws AppError quotaExceeded if the account stores more than its plan includes;
 * assetUnknown if none of the named files ends soon
 */
export const extendFiles = (
  context: Pick<Context, 'db' | 'clock'>,
  { userId }: Member,
  { asset_ids }: Parsed<Assets['extend']>,
): Promise<Output<Assets['extend']>> =>
  context.db.transaction(async (tx) => {
    const account = await lockAccountForUpdate(tx, userId)
    const at = now(context)
    const quota = limitsOf(account).storage
    if (account.used_bytes > quota) throw new AppError('quotaExceeded', { free: 0 })
    const before = new Date(at.getTime() + FILES_END_DAYS * DAY)
    const until = assetExpiry(at)
    const extended = await endings.extendBefore(tx, userId, before, until, asset_ids)
    if (extended === 0 && asset_ids) throw new AppError('assetUnknown')
    return { extended, expires_at: until.toISOString() }
  })
