import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { publishFolder, unpublishFolder } from './folders.ts'
import { listPublications, publish, unpublish } from './service.ts'
import { findPublications, openPublication, readPublishedNode } from './serving.ts'

export function servePublications(serving: ServerServing, context: Context): void {
  serveModule(serving, 'publications', {
    create: (input, { caller, ip }) => publish(context, caller, input, { ip }),
    async remove(input, { caller, ip }) {
      await unpublish(context, caller, input, { ip })
      return {}
    },
    createFolder: ({ folder_id }, { caller, ip }) => publishFolder(context, caller, folder_id, { ip }),
    async removeFolder({ folder_id }, { caller, ip }) {
      await unpublishFolder(context, caller, folder_id, { ip })
      return {}
    },
    list: (input, { caller }) => listPublications(context, caller, input),
    find: (input) => findPublications(context, input),
    node: (input) => readPublishedNode(context, input),
    open: (input) => openPublication(context, input),
  })
}
