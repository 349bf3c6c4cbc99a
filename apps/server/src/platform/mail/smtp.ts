import { createTransport } from 'nodemailer'
import { type Mailer, MailRefused } from './mailer.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Sends by SMTP, one connection a mail.
 * @param smtpUrl `smtp://user:password@host:587` or `smtps://…`; options of the transport may follow as a query
 * @param from the sender, `Tidenet <no-reply@example.org>`
 */
export function createSmtpMailer(smtpUrl: string, from: string): Mailer {
  const url = new URL(smtpUrl)
  const transport = createTransport({
    url: smtpUrl,
    // A password never crosses a network in the clear.
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
          // As an object the address is never parsed as a list.
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          text: mail.body_text,
          html: mail.body_html,
          // The same at every try: a mailbox that got it twice shows it once.
          messageId: `<tidenet-${mail.id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        if (isFinal(error)) throw new MailRefused(error.message)
        throw error
      }
    },
  }
}

/**
 * RFC 5321, 4.2.1: 5yz is a permanent negative completion. What is said to a connection, a password or a sender is not about this mail: the
 * operator mends it, and the mail goes out after all.
 */
function isFinal(error: unknown): error is Error {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
