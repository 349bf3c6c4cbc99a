import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { confirm, endTotp, overview, renewRecoveryCodes, requirePasskey, startTotp } from './service.ts'
import { completeBySecondFactor, prove } from './sign-in.ts'

export function serveSecondFactors(serving: ServerServing, context: Context): void {
  serveModule(serving, 'secondFactors', {
    overview: (_, { caller }) => overview(context, caller),
    startTotp: (_, { caller }) => startTotp(context, caller),
    confirmTotp: async ({ code }, { caller, ip, agent, lang }) => ({
      recovery: await confirm(context, caller, code, { ip, agent, lang }),
    }),
    async endTotp(input, { caller, ip, agent, lang }) {
      await endTotp(context, caller, input, { ip, agent, lang })
      return {}
    },
    makeRecoveryCodes: async (_, { caller, ip, agent }) => ({
      recovery: await renewRecoveryCodes(context, caller, { ip, agent }),
    }),
    requirePasskey: async ({ required }, { caller, ip, agent, lang }) => ({
      recovery: await requirePasskey(context, caller, required, { ip, agent, lang }),
    }),
    complete: (input, { ip, agent }) => completeBySecondFactor(context, input, { ip, agent }),
    prove: async (input, { caller }) => ({
      proved_until: (await prove(context, caller, input)).toISOString(),
    }),
  })
}
