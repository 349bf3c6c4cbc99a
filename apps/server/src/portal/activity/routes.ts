import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { exportActivity, listActivity } from './service.ts'

export function serveActivity(serving: ServerServing, context: Context): void {
  serveModule(serving, 'activity', {
    list: (input, { caller }) => listActivity(context, caller, input),
    csv: async (filter, { caller, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="tidenet-activity.csv"')
        .header('cache-control', 'no-store')
        .send(exportActivity(context, caller, filter)) as never,
  })
}
