import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { balance, distributed, history, receive } from './service.ts'
import { texts } from './texts.ts'

export function serveFaucet(serving: ServerServing, context: Context): void {
  serveModule(serving, 'faucet', {
    distributed: (_, { caller }) => distributed(context, caller),
    async receive(_, { caller, ip, lang }) {
      return { claim: await receive(context, caller, ip), msg: texts[lang].claimed }
    },
    history: (input, { caller }) => history(context, caller, input),
    balance: (_, { caller }) => balance(context, caller),
  })
}
