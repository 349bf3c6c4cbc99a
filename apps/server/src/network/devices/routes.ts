import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { makeCode, ownDevices, switchMail, unlinkDevice } from './service.ts'

export function serveDevices(serving: ServerServing, context: Context): void {
  serveModule(serving, 'devices', {
    list: (input, { caller }) => ownDevices(context, caller, input),
    code: (_, { caller, lang }) => makeCode(context, caller, lang),
    mail: (input, { caller }) => switchMail(context, caller, input),
    async unlink({ node_id }, { caller, ip }) {
      await unlinkDevice(context, caller, node_id, ip)
      return { node_id }
    },
  })
}
