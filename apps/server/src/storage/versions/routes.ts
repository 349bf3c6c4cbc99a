import { successMessage } from '../../platform/http/messages.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listVersions, removeVersion, restoreVersion, undeleteVersion } from './service.ts'

export function serveVersions(serving: ServerServing, context: Context): void {
  serveModule(serving, 'versions', {
    list: (input, { caller }) => listVersions(context, caller, input),
    restore: (input, { caller }) => restoreVersion(context, caller, input),
    remove: (input, { caller }) => removeVersion(context, caller, input),
    undelete: async (input, { caller, lang }) => {
      await undeleteVersion(context, caller, input)
      return successMessage(lang)
    },
  })
}
