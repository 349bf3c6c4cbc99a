import type { FastifyRequest } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import { originOf } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { linkedWallets, linkWallet, unlinkWallet, walletOf } from './service.ts'
import { issueSignInMessage } from './sign-in-messages.ts'
import { texts } from './texts.ts'

export function serveWallets(serving: ServerServing, context: Context): void {
  const originFor = (request: FastifyRequest) => originOf(context, request)
  serveModule(serving, 'wallets', {
    async loginNonce({ username }, { ip, lang, request }) {
      const wallet = walletOf(context, username)
      return {
        code: await issueSignInMessage(context, {
          purpose: 'login',
          wallet,
          user: undefined,
          lang,
          ip,
          origin: originFor(request),
        }),
      }
    },
    async bindNonce({ address }, { caller, ip, lang, request }) {
      const wallet = walletOf(context, address)
      const user = { id: caller.userId, uid: caller.uid }
      return {
        code: await issueSignInMessage(context, {
          purpose: 'bind',
          wallet,
          user,
          lang,
          ip,
          origin: originFor(request),
        }),
      }
    },
    async bindKeplr({ address, ...proof }, { caller, ip, lang, request }) {
      await linkWallet(context, caller, walletOf(context, address, 'cosmos'), proof, {
        ip,
        lang,
        origin: originFor(request),
      })
      return { msg: texts[lang].bound }
    },
    async ecologyCode(_, { caller, ip, lang, request }) {
      const user = { id: caller.userId, uid: caller.uid }
      return {
        code: await issueSignInMessage(context, {
          purpose: 'bind',
          wallet: undefined,
          user,
          lang,
          ip,
          origin: originFor(request),
        }),
      }
    },
    async bindWallet({ address, sign, publicKey }, { caller, ip, lang, request }) {
      const wallet = walletOf(context, unhex(address), 'cosmos')
      await linkWallet(context, caller, wallet, { sign, publicKey }, { ip, lang, origin: originFor(request) })
      return { msg: texts[lang].bound }
    },
    bindInfo: (_, { caller }) => linkedWallets(context, caller),
    async bindEvm({ address, sign }, { caller, ip, lang, request }) {
      await linkWallet(
        context,
        caller,
        walletOf(context, address, 'evm'),
        { sign },
        { ip, lang, origin: originFor(request) },
      )
      return { msg: texts[lang].bound }
    },
    async unbind({ address }, { caller, ip, lang }) {
      await unlinkWallet(context, caller, address, { ip, lang })
      return { msg: texts[lang].unbound }
    },
  })
}

/** Some clients send the address as hex of its characters; no valid address looks like that. */
const unhex = (text: string): string =>
  /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : text
