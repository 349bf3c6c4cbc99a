import { AppError } from '@tidenet/contract'
import { clientNetworkOf, secondsUntil } from '../../platform/attempts/attempts.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { type Context, now } from '../context.ts'
import { confirmationEmail, type Lead, leadEmail } from './emails.ts'
import { countLeads, holdCounts, insertLead } from './repository.ts'

export { handleLead, type LeadRow, leadFigures, lockLeadForUpdate, pageOfLeads } from './repository.ts'

const DAY = 24 * 3600 * 1000
/** Each sends a mail to an address that somebody typed: nobody's mailbox is to be filled by others. */
export const LEADS_PER_ADDRESS_DAY = 5
export const LEADS_PER_NETWORK_DAY = 20

/**
 * Keeps a request and mails it to the operators, if they have an address, and a confirmation to its sender.
 * @throws AppError tooManyRequests above the day's limits
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
    await holdCounts(tx, lead.email, network)
    const counts = await countLeads(tx, lead.email, network, new Date(at.getTime() - DAY))
    if (counts.of_address >= LEADS_PER_ADDRESS_DAY || counts.from_network >= LEADS_PER_NETWORK_DAY) {
      const free = new Date((counts.oldest ?? at).getTime() + DAY)
      throw new AppError('tooManyRequests', { seconds: secondsUntil(free, at) })
    }
    await insertLead(tx, lead, network, at)
    if (operatorMail !== '') await queueEmail(context, tx, operatorMail, leadEmail(lead))
    await queueEmail(context, tx, lead.email, confirmationEmail(lead.lang, lead.kind))
  })
}
