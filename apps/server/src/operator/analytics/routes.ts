import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { countEvent } from './service.ts'

export function serveAnalytics(serving: ServerServing, context: Context): void {
  serveModule(serving, 'analytics', {
    async event(input) {
      await countEvent(context, input)
      return {}
    },
  })
}
