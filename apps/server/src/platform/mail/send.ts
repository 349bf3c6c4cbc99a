import type { PlatformConfig } from '../config.ts'
import { type Context, now } from '../context.ts'
import { type Mailer, MailRefused, mailboxMailer } from './mailer.ts'
import { lockUnsent, markFailed, markRefused, markSent } from './repository.ts'
import { createSmtpMailer } from './smtp.ts'

/** A mail that did not go out for this long is given up at its next failure: what it holds is worth nothing any more. Below the last try. */
const PATIENCE = 20 * 60 * 1000

const mailers = new WeakMap<PlatformConfig, Mailer>()

function mailerOf(config: PlatformConfig): Mailer {
  const mailer = mailers.get(config) ?? createMailer(config)
  mailers.set(config, mailer)
  return mailer
}

/** SMTP when it is configured, the development mailbox otherwise, which never stands in for mail in production. */
export function createMailer({
  smtpUrl,
  mailFrom,
  environment,
}: Pick<PlatformConfig, 'smtpUrl' | 'mailFrom' | 'environment'>): Mailer {
  if (smtpUrl !== '') return createSmtpMailer(smtpUrl, mailFrom)
  if (environment === 'production') throw new Error('no mail without SMTP in production')
  return mailboxMailer
}

/**
 * The job that sends a mail. Safe to run twice and at once: one runner holds the row, a sent mail is left alone.
 * What was sent by SMTP is forgotten here, for it holds a code. So is what was refused for good or could not be sent for too long; why, the
 * operators see in the log of mails.
 * @throws when the mail did not go out and may go out later
 */
export async function sendMail(context: Pick<Context, 'config' | 'db' | 'clock' | 'log'>, id: number): Promise<void> {
  const mailer = mailerOf(context.config)
  const sending = context.db.transaction(async (tx) => {
    const mail = await lockUnsent(tx, id)
    if (!mail) return
    try {
      await mailer.deliver(mail)
    } catch (error) {
      const givenUp = context.clock.now() - mail.created_at.getTime() > PATIENCE
      if (!(error instanceof MailRefused) && !givenUp) throw error
      context.log.warn({ mail: id }, givenUp ? 'a mail was given up' : 'a mail was refused for good')
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
