import { isIP } from 'node:net'
import { requestLang } from '@tidenet/daemon'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { readUrl } from '../read-url.ts'
import { type MailboxEntry, mailboxPage, mailboxStyle } from './mailbox-page.ts'
import { type ArrivedMail, arrivedMails } from './repository.ts'

/**
 * Serves the mails of a development server: `/dev/mailbox` for people, `/dev/mailbox.json?to=` for tests.
 * Its readers can sign in as anyone, so it is never served in production or with SMTP.
 */
export function serveMailbox(app: FastifyInstance, context: Pick<Context, 'db' | 'config' | 'portalUrl'>): void {
  const { db } = context
  const guard = { onRequest: onlyOwnHosts(context) }
  const mails = async (request: FastifyRequest) => (await arrivedMails(db, recipient(request))).map(entry)

  app.get('/dev/mailbox', { exposeHeadRoute: false, ...guard }, async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'lang, cookie, accept-language')
      .send(mailboxPage(requestLang(request), recipient(request), await mails(request))),
  )
  app.get('/dev/mailbox.css', { exposeHeadRoute: false, ...guard }, (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(mailboxStyle),
  )
  app.get('/dev/mailbox.json', { exposeHeadRoute: false, ...guard }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send({ mails: await mails(request) }),
  )
}

/** Prevents DNS rebinding: a page of another host name that resolves to this machine could read all codes. IP addresses are safe. */
function onlyOwnHosts({ config, portalUrl }: Pick<Context, 'config' | 'portalUrl'>): onRequestHookHandler {
  const isOwnHost = (host: string | undefined): boolean => {
    const url = readUrl(`http://${host ?? ''}`)
    if (!url) return false
    const { hostname } = url
    return (
      hostname === 'localhost' ||
      hostname.endsWith('.localhost') ||
      isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ||
      [readUrl(portalUrl())?.hostname, readUrl(`http://${config.servicesHost}`)?.hostname].includes(hostname)
    )
  }
  return (request, reply, done) => {
    // Pages can send the headers of a proxy too, so check both hosts.
    if (isOwnHost(request.headers.host) && isOwnHost(request.host)) done()
    else reply.callNotFound()
  }
}

/** The requested recipient; empty: all. */
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
