import { AppError, type BlockCategory, type Lang } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { clientNetworkOf, secondsUntil } from '../../platform/attempts/attempts.ts'
import { advisoryLocks } from '../../platform/db/advisory-lock.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { contentOfShortLink, harmlessText } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'
import { countReports, insertReport, markMailed, openCase, reportsIn } from './cases-repository.ts'
import { operatorsEmail } from './emails.ts'
import { keyOfContent, readReportTarget } from './report-target.ts'

/** Anyone can report anything, so operators and named addresses get a limited number. */
export const REPORTS_PER_NETWORK_DAY = 20
export const REPORTS_PER_ADDRESS_DAY = 5
/** Further reports of one target add nothing, and are not stored. */
export const REPORTS_PER_CASE = 50
/** Between two e-mails to the operators, however many reports there are. */
const MAIL_INTERVAL_MS = 3_600_000

export interface Report {
  target: string
  category: BlockCategory
  text: string
  email: string
  lang: Lang
}

/**
 * Stores a report, with others of the same target. The caller learns nothing about the target: whether it exists, whose it is, whether it
 * was reported before.
 * @throws AppError reportTarget; tooManyRequests above the daily limits
 */
export async function createReport(context: Pick<Context, 'db' | 'clock'>, report: Report, ip: string): Promise<void> {
  const at = now(context)
  const network = clientNetworkOf(ip)
  const named = readReportTarget(report.target)
  const opened = named.token === '' ? undefined : await contentOfShortLink(context.db, named.token)
  const { key, cid } = opened === undefined ? named : { key: keyOfContent(opened), cid: opened }
  const { category, email, lang } = report
  await context.db.transaction(async (tx) => {
    // Concurrent reports must not exceed the limits, nor open two cases of one target.
    await advisoryLocks(tx, [`reports of ${key}`, `reports from ${network}`, ...(email ? [`reports by ${email}`] : [])])
    const counts = await countReports(tx, { email, network, at })
    if (counts.of_address >= REPORTS_PER_ADDRESS_DAY || counts.from_network >= REPORTS_PER_NETWORK_DAY) {
      const allowedAt = new Date((counts.oldest ?? at).getTime() + DAY)
      throw new AppError('tooManyRequests', { seconds: secondsUntil(allowedAt, at) })
    }
    const { id } = await openCase(tx, { key, cid, target: named.text, at })
    const before = await reportsIn(tx, id, network)
    if (before.from_network > 0 || before.all >= REPORTS_PER_CASE) return
    const text = harmlessText(report.text)
    await insertReport(tx, { case_id: id, category, text, target: named.text, email, lang, network, created_at: at })
  })
}

/** Tells the operators of new cases, in one e-mail for all of them, at most once an hour. */
export async function mailOperators(context: Pick<Context, 'db' | 'clock' | 'config' | 'portalUrl'>): Promise<void> {
  const { operatorMail } = context.config
  if (operatorMail === '') return
  const at = now(context)
  await context.db.transaction(async (tx) => {
    await advisoryLocks(tx, ['e-mail about reports'])
    const count = await markMailed(tx, at, ago(at, MAIL_INTERVAL_MS))
    if (count > 0)
      await queueEmail(context, tx, operatorMail, operatorsEmail(count, `${context.portalUrl()}/admin?view=reports`))
  })
}
