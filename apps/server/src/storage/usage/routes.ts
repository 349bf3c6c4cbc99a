import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { daily, hourly, storageSize } from './service.ts'

export function serveUsage(serving: ServerServing, context: Context): void {
  serveModule(serving, 'usage', {
    storageSize: (_, { caller }) => storageSize(context, caller),
    hourly: async (_, { caller }) => ({ series_data: await hourly(context, caller) }),
    daily: async (input, { caller }) => ({ series_data: await daily(context, caller, input) }),
  })
}
