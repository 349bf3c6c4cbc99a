import { createTransport } from 'nodemailer'
import { type Mailer, MailRefused } from './mailer.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Sends by SMTP, one connection per mail.
 * @param smtpUrl `smtp://user:password@host:587` or `smtps://…`; transport options can follow as a query
 * @param from the sender, `Tidenet <no-reply@example.org>`
 */
export function createSmtpMailer(smtpUrl: string, from: string): Mailer {
  const url = new URL(smtpUrl)
  const transport = createTransport({
    url: smtpUrl,
    // Never send a password unencrypted over a network.
    requireTLS: url.username !== '' && !LOOPBACK.has(url.hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    keepsText: false,
    async deliver(mail) {
      try {
        await transport.sendMail({
          from,
          // As an object, the address is never parsed as a list.
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          text: mail.body_text,
          html: mail.body_html,
          // The same at every attempt, so mail programs can drop duplicates.
          messageId: `<tidenet-${mail.id}@${domain}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(mail.unsubscribe && {
              'List-Unsubscribe': `<${mail.unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
      } catch (error) {
        if (isFinal(error)) throw new MailRefused(error.message)
        throw error
      }
    },
  }
}

/**
 * RFC 5321, 4.2.1: 5yz is a permanent failure. Errors of the connection, login or sender are retried: they concern the configuration, not
 * this mail.
 */
function isFinal(error: unknown): error is Error {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
