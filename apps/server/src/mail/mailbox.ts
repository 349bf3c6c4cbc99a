import { requestLang } from '@tidenet/daemon'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { mailboxPage, mailboxStyle } from './mailbox-page.ts'
import { type ArrivedMail, arrivedMails } from './repository.ts'

/** A mail as programs read it: times RFC 3339; `code` is the first six-digit code of its text, or null. */
export interface MailboxEntry {
  id: number
  to: string
  subject: string
  text: string
  code: string | null
  time: string
}

/**
 * Shows the mails of a development server, which sends none: `/dev/mailbox` for people, `/dev/mailbox.json?to=` for tests.
 * Whoever reads it can sign in as anyone, so it is served only where there is no SMTP and no production.
 */
export function serveMailbox(app: FastifyInstance, { db }: Pick<Context, 'db'>): void {
  const mails = async (request: FastifyRequest) => (await arrivedMails(db, recipient(request))).map(entry)

  app.get('/dev/mailbox', { exposeHeadRoute: false }, async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'lang, cookie, accept-language')
      .send(mailboxPage(requestLang(request), recipient(request), await mails(request))),
  )
  app.get('/dev/mailbox.css', { exposeHeadRoute: false }, (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(mailboxStyle),
  )
  app.get('/dev/mailbox.json', { exposeHeadRoute: false }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send({ mails: await mails(request) }),
  )
}

/** The recipient asked for; empty: everyone. */
function recipient({ query }: FastifyRequest): string {
  const { to } = query as { to?: unknown }
  return typeof to === 'string' ? to.trim().toLowerCase().replaceAll('\0', '').slice(0, 254) : ''
}

const entry = (mail: ArrivedMail): MailboxEntry => ({
  id: mail.id,
  to: mail.recipient,
  subject: mail.subject,
  text: mail.body_text,
  code: /\b\d{6}\b/.exec(mail.body_text)?.[0] ?? null,
  time: mail.sent_at.toISOString(),
})
