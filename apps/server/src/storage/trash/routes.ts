import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { deletePermanently, listTrash, putIntoTrash, restore } from './service.ts'

export function serveTrash(serving: ServerServing, context: Context): void {
  serveModule(serving, 'trash', {
    put: (input, { caller, lang }) => putIntoTrash(context, caller, lang, input),
    list: (input, { caller }) => listTrash(context, caller, input),
    restore: async ({ ids }, { caller, lang }) => ({ results: await restore(context, caller, lang, ids) }),
    remove: async ({ ids }, { caller }) => ({ removed: await deletePermanently(context, caller, ids) }),
    empty: async (_, { caller }) => ({ removed: await deletePermanently(context, caller) }),
  })
}
