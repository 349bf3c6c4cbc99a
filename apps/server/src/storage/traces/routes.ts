import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { getTrace, listTraces, report } from './service.ts'

export function serveTraces(serving: ServerServing, context: Context): void {
  serveModule(serving, 'traces', {
    report: async (input, { caller, lang, ip }) => ({
      ...successMessage(lang),
      trace_id: await report(context, caller, input, ip),
    }),
    list: (input, { caller }) => listTraces(context, caller, input),
    get: (input, { caller }) => getTrace(context, caller, input.trace_id),
  })
}
