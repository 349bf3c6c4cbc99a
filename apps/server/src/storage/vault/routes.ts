import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import * as service from './service.ts'

export function serveVault(serving: ServerServing, context: Context): void {
  serveModule(serving, 'vault', {
    info: (_, { caller }) => service.vaultInfo(context, caller),
    async create(input, { caller, ip }) {
      await service.createVault(context, caller, input, { ip })
      return {}
    },
    addWay: (input, { caller, ip }) => service.addWay(context, caller, input, { ip }),
    async removeWay({ id }, { caller, ip }) {
      await service.removeWay(context, caller, id, { ip })
      return {}
    },
    async remove(input, { caller, ip }) {
      await service.removeVault(context, caller, input, { ip })
      return {}
    },
  })
}
