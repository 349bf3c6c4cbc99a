import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { overview } from './service.ts'

export function serveDashboard(serving: ServerServing, context: Context): void {
  serveModule(serving, 'dashboard', { overview: (_, { caller }) => overview(context, caller) })
}
