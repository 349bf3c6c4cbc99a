import { accountsOf, notify } from '../../identity/index.ts'
import { ago } from '../../platform/ago.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { type Context, now } from '../context.ts'
import { receivedEmail } from './emails.ts'
import { claimReceived } from './repository.ts'

/** Owners are told of all files at once: after this long without another one, */
const QUIET_MS = 5 * 60_000
/** or this long after the first one, and not more often. */
const LONGEST_MS = 3_600_000
const BATCH = 100

/** Tells owners of upload links what arrived, by e-mail and in their activity. */
export async function notifyOfUploads(context: Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>): Promise<void> {
  const at = now(context)
  const page = `${context.portalUrl()}/links`
  await context.db.transaction(async (tx) => {
    const times = { quiet: ago(at, QUIET_MS), longest: ago(at, LONGEST_MS), last: ago(at, LONGEST_MS), at }
    const received = await claimReceived(tx, { ...times, limit: BATCH })
    const owners = received.map(({ user_id }) => user_id)
    const accounts = await accountsOf(tx, owners)
    for (const { link_id, user_id, ...what } of received) {
      const account = accounts.get(user_id)
      if (!account) continue
      const detail = { link: link_id, files: what.files, bytes: what.bytes }
      await audit(
        tx,
        context,
        'system',
        { ip: '' },
        { action: 'share.receive', subject: `user:${account.uid}`, detail },
      )
      await notify(context, tx, user_id, 'uploads', (lang) => receivedEmail(lang, what, page))
    }
  })
}
