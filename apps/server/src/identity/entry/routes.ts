import { AppError } from '@tidenet/contract'
import { serveModule } from '../../platform/http/operations.ts'
import { originOf } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { signOut } from '../sessions/service.ts'
import { rotate } from '../sessions/tokens.ts'
import { sendCode } from './codes.ts'
import { profile, register, resetPassword } from './service.ts'
import { signIn } from './sign-in.ts'
import { texts } from './texts.ts'

export function serveAccounts(serving: ServerServing, context: Context): void {
  serveModule(serving, 'accounts', {
    async verifyCode({ username, type }, { ip, lang }) {
      await sendCode(context, { type, address: username, ip, lang })
      return { msg: texts[lang].codeSent }
    },
    async register(input, { lang, ip }) {
      await register(context, input, ip)
      return { msg: texts[lang].registered }
    },
    async resetPassword(input, { lang, ip }) {
      await resetPassword(context, input, { ip, lang })
      return { msg: texts[lang].passwordSet }
    },
    login: (input, { ip, agent, lang, request }) =>
      signIn(context, input, { ip, agent, lang, origin: originOf(context, request) }),
    async logout(_, { caller, ip }) {
      if (caller.kind === 'member' && caller.via === 'session') await signOut(context, caller, { ip })
      return {}
    },
    async refresh(_, { caller }) {
      const fresh = await rotate(context, caller.credential)
      if (!fresh) throw new AppError('sessionExpired')
      return fresh
    },
    info: (_, { caller }) => profile(context, caller),
    vipInfo: (_, { caller }) => ({
      uid: caller.uid,
      vip: caller.vip,
      account: caller.email || caller.uid,
      role: caller.role,
      closing_at: caller.closingAt?.toISOString() ?? '',
    }),
  })
}
