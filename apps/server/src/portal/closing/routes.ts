import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { cancelClosingOf, closingState, startClosingOf } from './service.ts'

export function serveClosing(serving: ServerServing, context: Context): void {
  serveModule(serving, 'closing', {
    state: (_, { caller }) => closingState(context, caller),
    start: (input, { caller, ip, lang }) => startClosingOf(context, caller, input, { ip, lang }),
    async cancel(_, { caller, ip, lang }) {
      await cancelClosingOf(context, caller, { ip, lang })
      return {}
    },
  })
}
