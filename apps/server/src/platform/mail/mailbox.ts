import { isIP } from 'node:net'
import { requestLang } from '@tidenet/daemon'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { readUrl } from '../read-url.ts'
import { type MailboxEntry, mailboxPage, mailboxStyle } from './mailbox-page.ts'
import { type ArrivedMail, arrivedMails } from './repository.ts'

/**
 * Shows the mails of a development server, which sends none: `/dev/mailbox` for people, `/dev/mailbox.json?to=` for tests.
 * Whoever reads it can sign in as anyone, so it is served only where there is no SMTP and no production.
 */
export function serveMailbox(app: FastifyInstance, context: Pick<Context, 'db' | 'config' | 'portalUrl'>): void {
  const { db } = context
  const here = { onRequest: onlyHere(context) }
  const mails = async (request: FastifyRequest) => (await arrivedMails(db, recipient(request))).map(entry)

  app.get('/dev/mailbox', { exposeHeadRoute: false, ...here }, async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'lang, cookie, accept-language')
      .send(mailboxPage(requestLang(request), recipient(request), await mails(request))),
  )
  app.get('/dev/mailbox.css', { exposeHeadRoute: false, ...here }, (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(mailboxStyle),
  )
  app.get('/dev/mailbox.json', { exposeHeadRoute: false, ...here }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send({ mails: await mails(request) }),
  )
}

/**
 * Lets requests through that name this server. A name that a stranger owns may be made to lead to this machine (DNS rebinding), and pages
 * under that name could read all codes. A plain address cannot be turned like that.
 */
function onlyHere({ config, portalUrl }: Pick<Context, 'config' | 'portalUrl'>): onRequestHookHandler {
  const isOurs = (host: string | undefined): boolean => {
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
    // What a proxy says of the host a page may say as well: both have to be ours.
    if (isOurs(request.headers.host) && isOurs(request.host)) done()
    else reply.callNotFound()
  }
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
