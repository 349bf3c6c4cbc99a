import { readLang } from '@tidenet/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import { originOf } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { hashToken } from '../../platform/token-hash.ts'
import type { Context } from '../context.ts'
import { requireRecentAuth } from '../sessions/recent-auth.ts'
import { createClients, IdentityFailed } from './clients.ts'
import { cookieOf, finishFlow, landing, type StartedFlow, startFlow } from './flows.ts'
import { ownPath } from './own-path.ts'
import { findHandoverState } from './repository.ts'
import {
  addIdentity,
  type Handover,
  listIdentities,
  removeIdentity,
  signInByIdentity,
  startLinking,
} from './service.ts'
import { texts } from './texts.ts'

/** All routes are below this path, so the cookies are only sent here. */
const PATH = '/api/v1/user/oauth'

export function serveExternalSignIn(serving: ServerServing, base: Context): void {
  const context = { ...base, clients: createClients() }
  const { db, config, log } = context

  const cookies = (request: FastifyRequest) => ({
    path: PATH,
    httpOnly: true,
    // Lax: the callback is a navigation from another site.
    sameSite: 'lax' as const,
    secure: originOf(context, request).startsWith('https:'),
  })
  const redirectUri = (request: FastifyRequest, provider: string) =>
    `${originOf(context, request)}${PATH}/${provider}/callback`
  const setCookie = (request: FastifyRequest, reply: FastifyReply, { cookie }: StartedFlow) =>
    reply.setCookie(cookie.name, cookie.value, { ...cookies(request), maxAge: 600 })

  async function handover(request: FastifyRequest, reply: FastifyReply, code: string): Promise<Handover> {
    const flow = await findHandoverState(db, hashToken(code))
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
        const started = await startFlow(context, provider, {
          userId: null,
          redirect,
          redirectUri: redirectTo,
          lang,
          ip,
        })
        return setCookie(request, reply, started).redirect(started.url, 302)
      } catch (error) {
        if (!(error instanceof IdentityFailed)) throw error
        log.warn({ provider: id, code: error.message }, 'an external sign-in service is unreachable')
        return failed()
      }
    },
    async callback({ provider: id }, { request, reply }) {
      const provider = config.signInProviders.find((each) => each.id === id)
      const answer = new URL(request.url, originOf(context, request))
      const { location, cookie } = await finishFlow(context, provider, answer, (name) => request.cookies[name])
      if (cookie) reply.clearCookie(cookie, cookies(request))
      return reply.redirect(location, 302)
    },
    finish: async ({ code }, { request, reply, ip, agent, lang }) =>
      signInByIdentity(context, await handover(request, reply, code), { ip, agent, lang }),
    list: (_, { caller }) => listIdentities(context, caller),
    async link({ provider, redirect }, { caller, request, reply, ip, lang }) {
      await requireRecentAuth(context, caller)
      const redirectTo = redirectUri(request, provider)
      const started = await startLinking(context, caller, { provider, redirect, redirectUri: redirectTo, lang, ip })
      setCookie(request, reply, started)
      return { url: started.url }
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
