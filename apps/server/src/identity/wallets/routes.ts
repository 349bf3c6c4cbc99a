import type { FastifyRequest } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import { originOf } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { bindInfo, bindWallet, unbindWallet, walletOf } from './service.ts'
import { issueSignInMessage } from './sign-in-messages.ts'
import { texts } from './texts.ts'

export function serveWallets(serving: ServerServing, context: Context): void {
  const at = (request: FastifyRequest) => originOf(context, request)
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
          origin: at(request),
        }),
      }
    },
    async bindNonce({ address }, { caller, ip, lang, request }) {
      const wallet = walletOf(context, address)
      const user = { id: caller.userId, uid: caller.uid }
      return {
        code: await issueSignInMessage(context, { purpose: 'bind', wallet, user, lang, ip, origin: at(request) }),
      }
    },
    async bindKeplr({ address, ...proof }, { caller, ip, lang, request }) {
      await bindWallet(context, caller, walletOf(context, address, 'cosmos'), proof, { ip, lang, origin: at(request) })
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
          origin: at(request),
        }),
      }
    },
    async bindWallet({ address, sign, publicKey }, { caller, ip, lang, request }) {
      const wallet = walletOf(context, unhex(address), 'cosmos')
      await bindWallet(context, caller, wallet, { sign, publicKey }, { ip, lang, origin: at(request) })
      return { msg: texts[lang].bound }
    },
    bindInfo: (_, { caller }) => bindInfo(context, caller),
    async bindEvm({ address, sign }, { caller, ip, lang, request }) {
      await bindWallet(context, caller, walletOf(context, address, 'evm'), { sign }, { ip, lang, origin: at(request) })
      return { msg: texts[lang].bound }
    },
    async unbind({ address }, { caller, ip, lang }) {
      await unbindWallet(context, caller, address, { ip, lang })
      return { msg: texts[lang].unbound }
    },
  })
}

/** Some clients send the address as hex of its letters; no address of a chain looks like that itself. */
const unhex = (text: string): string =>
  /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : text
