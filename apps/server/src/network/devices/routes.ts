import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { bindDevice } from './binding.ts'
import { deviceInfo } from './info.ts'
import { createOwnerCode, listOwnDevices, renameDevice, setDeviceEmails, unlinkDevice } from './service.ts'

export function serveDevices(serving: ServerServing, context: Context): void {
  serveModule(serving, 'devices', {
    list: (input, { caller }) => listOwnDevices(context, caller, input),
    code: (_, { caller, lang }) => createOwnerCode(context, caller, lang),
    mail: (input, { caller }) => setDeviceEmails(context, caller, input),
    rename: (input, { caller, ip }) => renameDevice(context, caller, input, ip),
    binding: (input, { ip }) => bindDevice(context, input, ip),
    info: (input) => deviceInfo(context, input),
    async unlink({ node_id }, { caller, ip }) {
      await unlinkDevice(context, caller, node_id, ip)
      return { node_id }
    },
  })
}
