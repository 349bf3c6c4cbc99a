import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listPublications, publish, unpublish } from './service.ts'
import { findPublications, openPublication } from './serving.ts'

export function servePublications(serving: ServerServing, context: Context): void {
  serveModule(serving, 'publications', {
    create: (input, { caller, ip }) => publish(context, caller, input, { ip }),
    async remove(input, { caller, ip }) {
      await unpublish(context, caller, input, { ip })
      return {}
    },
    list: (input, { caller }) => listPublications(context, caller, input),
    find: (input) => findPublications(context, input),
    open: (input) => openPublication(context, input),
  })
}
