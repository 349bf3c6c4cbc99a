import type { Config } from '../config.ts'
import { type Context, now } from '../context.ts'
import { type Mailer, MailRefused, mailboxMailer } from './mailer.ts'
import { markRefused, markSent, takeUnsent } from './repository.ts'
import { createSmtpMailer } from './smtp.ts'

const mailers = new WeakMap<Config, Mailer>()

function mailerOf(config: Config): Mailer {
  const mailer = mailers.get(config) ?? createMailer(config)
  mailers.set(config, mailer)
  return mailer
}

/** SMTP when it is configured, the development mailbox otherwise, which never stands in for mail in production. */
export function createMailer({
  smtpUrl,
  mailFrom,
  environment,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'environment'>): Mailer {
  if (smtpUrl !== '') return createSmtpMailer(smtpUrl, mailFrom)
  if (environment === 'production') throw new Error('no mail without SMTP in production')
  return mailboxMailer
}

/**
 * The job that sends a mail. Safe to run twice and at once: one runner holds the row, a sent mail is left alone.
 * What was sent by SMTP is forgotten here, for it holds a code.
 * @throws when the mail did not go out and may go out later
 */
export async function sendMail(context: Pick<Context, 'config' | 'db' | 'clock' | 'log'>, id: number): Promise<void> {
  const mailer = mailerOf(context.config)
  await context.db.transaction(async (tx) => {
    const mail = await takeUnsent(tx, id)
    if (!mail) return
    try {
      await mailer.deliver(mail)
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error
      context.log.warn({ mail: id }, 'a mail was refused for good')
      await markRefused(tx, id, now(context), error.message)
      return
    }
    await markSent(tx, id, now(context), mailer.keepsText)
  })
}
