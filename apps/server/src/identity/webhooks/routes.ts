import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import * as service from './service.ts'

export function serveWebhooks(serving: ServerServing, context: Context): void {
  serveModule(serving, 'webhooks', {
    create: (input, { caller, ip, lang }) => service.createWebhook(context, caller, input, { ip, lang }),
    list: (_, { caller }) => service.webhooksOf(context, caller),
    async change(input, { caller, ip }) {
      await service.changeWebhook(context, caller, input, { ip })
      return {}
    },
    rotate: ({ id }, { caller, ip }) => service.rotateSecret(context, caller, id, { ip }),
    async remove({ id }, { caller, ip }) {
      await service.removeWebhook(context, caller, id, { ip })
      return {}
    },
    test: ({ id }, { caller }) => service.testWebhook(context, caller, id),
    deliveries: (input, { caller }) => service.deliveriesOf(context, caller, input),
    replay: (input, { caller, ip }) => service.replay(context, caller, input, { ip }),
  })
}
