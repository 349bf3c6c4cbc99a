import type { ServerServing } from '../../app.ts'
import type { Context } from '../../context.ts'
import { serveDuty } from '../../platform/http/operations.ts'
import { createKey, keysOf, permissionsOf, removeKey } from './service.ts'

export function serveApiKeys(serving: ServerServing, context: Context): void {
  serveDuty(serving, 'apiKeys', {
    create: (input, { caller, ip }) => createKey(context, caller, input, { ip }),
    list: (_, { caller }) => keysOf(context, caller),
    async remove({ key_name }, { caller, lang, ip }) {
      await removeKey(context, caller, key_name, { ip })
      return { msg: lang === 'cn' ? 'API 密钥已删除。' : 'The API key has been deleted.' }
    },
    permissions: ({ key_name }, { caller }) => permissionsOf(context, caller, key_name),
  })
}
