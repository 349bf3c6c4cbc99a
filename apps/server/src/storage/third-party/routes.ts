import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import * as service from './service.ts'

export function serveThirdParty(serving: ServerServing, context: Context): void {
  serveModule(serving, 'thirdParty', {
    list: (input, { caller }) => service.listReplicas(context, caller, input),
    choice: (_, { caller }) => service.showChoice(context, caller),
    choose: (input, { caller, ip }) => service.choose(context, caller, input, { ip }),
  })
}
