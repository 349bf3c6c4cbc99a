import { AppError } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { clientNetworkOf, secondsUntil } from '../../platform/attempts/attempts.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { type Context, now } from '../context.ts'
import { confirmationEmail, type Lead, leadEmail } from './emails.ts'
import { countLeads, insertLead, lockCounts } from './repository.ts'

export { handleLead, type LeadRow, leadFigures, lockLeadForUpdate, pageOfLeads } from './repository.ts'

/** Every request sends an e-mail to an address that the sender typed, so strangers could fill a mailbox without limits. */
export const LEADS_PER_ADDRESS_DAY = 5
export const LEADS_PER_NETWORK_DAY = 20

/**
 * Stores a contact request and queues e-mails to the operators, if they have an address, and to the sender.
 * @throws AppError tooManyRequests above the daily limits
 */
export async function createLead(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  lead: Lead,
  ip: string,
): Promise<void> {
  const at = now(context)
  const network = clientNetworkOf(ip)
  const { operatorMail } = context.config
  await context.db.transaction(async (tx) => {
    await lockCounts(tx, lead.email, network)
    const counts = await countLeads(tx, lead.email, network, ago(at, DAY))
    if (counts.of_address >= LEADS_PER_ADDRESS_DAY || counts.from_network >= LEADS_PER_NETWORK_DAY) {
      const allowedAt = new Date((counts.oldest ?? at).getTime() + DAY)
      throw new AppError('tooManyRequests', { seconds: secondsUntil(allowedAt, at) })
    }
    await insertLead(tx, lead, network, at)
    if (operatorMail !== '') await queueEmail(context, tx, operatorMail, leadEmail(lead))
    await queueEmail(context, tx, lead.email, confirmationEmail(lead.lang, lead.kind))
  })
}
