import { done } from '../../platform/http/done.ts'
import { serveDuty } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { getTrace, listTraces, report } from './service.ts'

export function serveTraces(serving: ServerServing, context: Context): void {
  serveDuty(serving, 'traces', {
    report: async (input, { caller, lang }) => ({ ...done(lang), trace_id: await report(context, caller, input) }),
    list: (input, { caller }) => listTraces(context, caller, input),
    get: (input, { caller }) => getTrace(context, caller, input.trace_id),
  })
}
