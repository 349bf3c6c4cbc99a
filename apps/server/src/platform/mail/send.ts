import type { PlatformConfig } from '../config.ts'
import { type Context, now } from '../context.ts'
import { type Mailer, MailRefused, mailboxMailer } from './mailer.ts'
import { lockUnsent, markFailed, markRefused, markSent } from './repository.ts'
import { createSmtpMailer } from './smtp.ts'

/** After this time a failure is final: codes have expired. Shorter than all retries of the job take. */
const GIVE_UP_AFTER_MS = 20 * 60 * 1000

const mailers = new WeakMap<PlatformConfig, Mailer>()

function mailerOf(config: PlatformConfig): Mailer {
  const mailer = mailers.get(config) ?? createMailer(config)
  mailers.set(config, mailer)
  return mailer
}

/** SMTP if configured, otherwise the development mailbox, but never that in production. */
export function createMailer({
  smtpUrl,
  mailFrom,
  environment,
}: Pick<PlatformConfig, 'smtpUrl' | 'mailFrom' | 'environment'>): Mailer {
  if (smtpUrl !== '') return createSmtpMailer(smtpUrl, mailFrom)
  if (environment === 'production') throw new Error('production requires SMTP')
  return mailboxMailer
}

/**
 * The job that sends a mail. Safe to run twice or concurrently. Deletes the text of sent and refused mails, because it may contain a code.
 * @throws if sending failed and should be retried
 */
export async function sendMail(context: Pick<Context, 'config' | 'db' | 'clock' | 'log'>, id: number): Promise<void> {
  const mailer = mailerOf(context.config)
  const sending = context.db.transaction(async (tx) => {
    const mail = await lockUnsent(tx, id)
    if (!mail) return
    try {
      await mailer.deliver(mail)
    } catch (error) {
      const givenUp = context.clock.now() - mail.created_at.getTime() > GIVE_UP_AFTER_MS
      if (!(error instanceof MailRefused) && !givenUp) throw error
      context.log.warn({ mail: id }, givenUp ? 'gave up sending a mail' : 'the mail server refused a mail')
      await markRefused(tx, id, now(context), error instanceof Error ? error.message : String(error))
      return
    }
    await markSent(tx, id, now(context), mailer.keepsText)
  })
  await sending.catch(async (error: unknown) => {
    await markFailed(context.db, id, error instanceof Error ? error.message : String(error))
    throw error
  })
}
