import { ADMIN_PROBLEMS, type AdminProblem, type AdminProblemKind, type contract, type Output } from '@tidenet/contract'
import { readSpeechEngineState } from '../../compute/index.ts'
import { certificateFigures, usedShare } from '../../network/index.ts'
import {
  countOpenDisputes,
  countStuckExchanges,
  isAnchorLate,
  lateCredits,
  pendingClaims,
  pendingRedemptions,
} from '../../payments/index.ts'
import { ago } from '../../platform/ago.ts'
import { countOpenSupports, thirdParties } from '../../storage/index.ts'
import { countOpenCases } from '../abuse/decisions.ts'
import { countOpenObjections } from '../abuse/owners.ts'
import { type Context, type Db, now } from '../context.ts'

type Counted = Omit<Output<(typeof contract)['admin']['overview']>, 'problems'>

/** Receipts are appended every second. */
const RECEIPTS_LATE_MS = 120_000
/** Claims and redemptions are paid within seconds. */
const PAYOUTS_LATE_MS = 10 * 60_000
/** From this share of the capacity of online nodes, the network needs more. */
const FULL_FROM = 0.85

/** Customers who wait for an answer. The support chat imports this module, so it is given. */
export type CountWaiting = (db: Db) => Promise<number>

/** What operators should look at. @param counted the figures of the overview */
export async function problems(
  context: Context,
  counted: Counted,
  countWaiting: CountWaiting,
): Promise<AdminProblem[]> {
  const { db, chain } = context
  const at = now(context)
  const late = ago(at, PAYOUTS_LATE_MS)
  const [
    share,
    certificates,
    claims,
    redemptions,
    credits,
    anchors,
    stuck,
    clusters,
    parties,
    speech,
    waiting,
    disputes,
    supports,
    reports,
    objections,
  ] = await Promise.all([
    usedShare(db),
    certificateFigures(db, at),
    pendingClaims.late(db, late),
    pendingRedemptions.late(db, late),
    lateCredits(db, late),
    isAnchorLate(context),
    countStuckExchanges(context),
    context.workspaces.offered(context),
    thirdParties(context),
    readSpeechEngineState(context),
    countWaiting(db),
    countOpenDisputes(db),
    countOpenSupports(db),
    countOpenCases(db),
    countOpenObjections(db),
  ])
  const { nodes, contents, jobs, log, leads, mails } = counted
  const isLogLate = log.oldest !== null && at.getTime() - Date.parse(log.oldest) > RECEIPTS_LATE_MS
  const ownWallet = chain?.operator?.address ?? ''
  const away = clusters.filter(({ name, ready }) => !ready && context.clusters.of(name) !== undefined)
  const failing = parties.list.filter(({ configured, failed_at }) => configured && failed_at !== null)
  const named = (state: 'dead' | 'failing') => jobs.filter((job) => job[state] > 0)
  const sum = (state: 'dead' | 'failing') => named(state).reduce((total, job) => total + job[state], 0)
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')

  const found: Partial<Record<AdminProblemKind, { count: number; since?: Date | null; about?: string }>> = {
    logBehind: { count: log.behind ? 1 : 0 },
    logLate: { count: isLogLate ? log.waiting : 0, since: log.oldest === null ? null : new Date(log.oldest) },
    contentsNowhere: { count: contents.nowhere },
    jobsDead: { count: sum('dead'), about: names(named('dead')) },
    certificatesFailing: {
      count: certificates.failing,
      since: certificates.failing_since,
      about: certificates.detail,
    },
    certificatesWaiting: { count: certificates.waiting, since: certificates.waiting_since },
    nodesAbnormal: { count: nodes.abnormal },
    nodesOffline: { count: nodes.offline },
    contentsShort: { count: contents.short },
    storageFull: { count: share >= FULL_FROM ? Math.round(share * 100) : 0 },
    mailsFailing: { count: mails.failing },
    mailsRefused: { count: mails.refused_7d },
    jobsFailing: { count: sum('failing'), about: names(named('failing')) },
    payoutsLate: {
      count: claims.count + redemptions.count + credits.count,
      since: earlier(earlier(claims.since, redemptions.since), credits.since),
      about: ownWallet,
    },
    anchorsLate: { count: anchors.isLate ? 1 : 0, since: anchors.since, about: ownWallet },
    exchangesStuck: { count: stuck },
    clustersAway: { count: away.length, about: names(away) },
    thirdPartiesAway: { count: failing.length, about: names(failing) },
    speechAway: { count: speech === 'unreachable' ? 1 : 0 },
    reports,
    objections,
    chatsWaiting: { count: waiting },
    disputes,
    supports,
    leads: { count: leads.open },
  }
  return ADMIN_PROBLEMS.flatMap((kind) => {
    const { count = 0, since = null, about = '' } = found[kind] ?? {}
    return count > 0 ? [{ kind, count, since: since?.toISOString() ?? null, about }] : []
  })
}

const earlier = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
