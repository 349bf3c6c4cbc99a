import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { deletePermanently, listTrash, putIntoTrash, restore } from './service.ts'

export function serveTrash(serving: ServerServing, context: Context): void {
  serveModule(serving, 'trash', {
    put: (input, { caller, lang, ip }) => putIntoTrash(context, caller, lang, input, { ip }),
    list: (input, { caller }) => listTrash(context, caller, input),
    restore: async ({ ids }, { caller, lang, ip }) => ({ results: await restore(context, caller, lang, ids, { ip }) }),
    remove: async ({ ids }, { caller, ip }) => ({ removed: await deletePermanently(context, caller, { ip }, ids) }),
    empty: async (_, { caller, ip }) => ({ removed: await deletePermanently(context, caller, { ip }) }),
  })
}
