import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { getThumbnails, keepThumbnail } from './service.ts'

export function serveThumbnails(serving: ServerServing, context: Context): void {
  serveModule(serving, 'thumbnails', {
    get: (input, { caller }) => getThumbnails(context, caller, input),
    keep: (input, { caller }) => keepThumbnail(context, caller, input),
  })
}
