import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { askForPasskey } from './ceremony.ts'
import {
  addPasskey,
  changeName,
  optionsToAdd,
  optionsToProve,
  removePasskey,
  secondFactorOptions,
  signInByPasskey,
} from './passkeys-service.ts'

export function servePasskeys(serving: ServerServing, context: Context): void {
  serveModule(serving, 'passkeys', {
    addOptions: (_, { caller, ip }) => optionsToAdd(context, caller, ip),
    add: (input, { caller, ip, agent, lang }) => addPasskey(context, caller, input, { ip, agent, lang }),
    async rename(input, { caller, ip, agent }) {
      await changeName(context, caller, input, { ip, agent })
      return {}
    },
    async remove({ id }, { caller, ip, agent, lang }) {
      await removePasskey(context, caller, id, { ip, agent, lang })
      return {}
    },
    loginOptions: (_, { ip }) => askForPasskey(context, { purpose: 'login', userId: null, allow: [], ip }),
    login: ({ credential }, { ip, agent, lang }) => signInByPasskey(context, credential, { ip, agent, lang }),
    secondOptions: ({ ticket }, { ip }) => secondFactorOptions(context, ticket, ip),
    proveOptions: (_, { caller, ip }) => optionsToProve(context, caller, ip),
  })
}
