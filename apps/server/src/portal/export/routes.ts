import type { Feature } from '../../platform/feature.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { exportAccount } from './service.ts'

export function serveExport(
  serving: ServerServing,
  context: Context,
  features: readonly Pick<Feature<Context>, 'exported'>[],
): void {
  serveModule(serving, 'accountExport', {
    async get(_, { caller, ip, reply }) {
      const document = await exportAccount(context, features, caller, { ip })
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="tidenet-account.json"')
        .header('cache-control', 'no-store')
        .send(document) as never
    },
  })
}
