import { readLang } from '@tidenet/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import { originOf } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { requireRecentAuth } from '../sessions/recent-auth.ts'
import { createClients, IdentityFailed } from './clients.ts'
import { type Begun, beginFlow, cookieOf, endFlow, hashOf, landing } from './flows.ts'
import { ownPath } from './own-path.ts'
import { stateOfHandover } from './repository.ts'
import { addIdentity, beginLink, type Handover, listIdentities, removeIdentity, signInByIdentity } from './service.ts'
import { texts } from './texts.ts'

/** Under which all of this lies, and nothing else: the cookies of sign-ins are sent here alone. */
const PATH = '/api/v1/user/oauth'

export function serveIdentities(serving: ServerServing, base: Context): void {
  const context = { ...base, clients: createClients() }
  const { db, config, log } = context

  const cookies = (request: FastifyRequest) => ({
    path: PATH,
    httpOnly: true,
    // Lax: the other service sends the browser back by a link.
    sameSite: 'lax' as const,
    secure: originOf(context, request).startsWith('https:'),
  })
  const redirectUri = (request: FastifyRequest, provider: string) =>
    `${originOf(context, request)}${PATH}/${provider}/callback`
  const keep = (request: FastifyRequest, reply: FastifyReply, { cookie }: Begun) =>
    reply.setCookie(cookie.name, cookie.value, { ...cookies(request), maxAge: 600 })

  async function handover(request: FastifyRequest, reply: FastifyReply, code: string): Promise<Handover> {
    const flow = await stateOfHandover(db, hashOf(code))
    const name = flow && cookieOf(flow.state_hash)
    const browser = (name && request.cookies[name]) ?? ''
    if (name && browser) reply.clearCookie(name, cookies(request))
    return { code, browser }
  }

  serveModule(serving, 'identities', {
    async start({ provider: id, redirect, lang: asked }, { request, reply, ip, lang: ofRequest }) {
      const lang = readLang(asked) ?? ofRequest
      const provider = config.signInProviders.find((each) => each.id === id)
      const failed = () =>
        reply.redirect(landing({ redirect: ownPath(redirect), links: false }, 'identity=unreachable'), 302)
      if (!provider) return failed()
      try {
        const redirectTo = redirectUri(request, id)
        const begun = await beginFlow(context, provider, { userId: null, redirect, redirectUri: redirectTo, lang, ip })
        return keep(request, reply, begun).redirect(begun.url, 302)
      } catch (error) {
        if (!(error instanceof IdentityFailed)) throw error
        log.warn({ provider: id, code: error.message }, 'a service to sign in by cannot be accessed')
        return failed()
      }
    },
    async callback({ provider: id }, { request, reply }) {
      const provider = config.signInProviders.find((each) => each.id === id)
      const answer = new URL(request.url, originOf(context, request))
      const { location, cookie } = await endFlow(context, provider, answer, (name) => request.cookies[name])
      if (cookie) reply.clearCookie(cookie, cookies(request))
      return reply.redirect(location, 302)
    },
    finish: async ({ code }, { request, reply, ip, agent }) =>
      signInByIdentity(context, await handover(request, reply, code), { ip, agent }),
    list: (_, { caller }) => listIdentities(context, caller),
    async link({ provider, redirect }, { caller, request, reply, ip, lang }) {
      await requireRecentAuth(context, caller)
      const redirectTo = redirectUri(request, provider)
      const begun = await beginLink(context, caller, { provider, redirect, redirectUri: redirectTo, lang, ip })
      keep(request, reply, begun)
      return { url: begun.url }
    },
    async add({ code }, { caller, request, reply, ip, lang }) {
      await addIdentity(context, caller, await handover(request, reply, code), { ip, lang })
      return { msg: texts[lang].linked }
    },
    async remove({ provider }, { caller, ip, lang }) {
      await requireRecentAuth(context, caller)
      await removeIdentity(context, caller, provider, { ip, lang })
      return { msg: texts[lang].unlinked }
    },
  })
}
