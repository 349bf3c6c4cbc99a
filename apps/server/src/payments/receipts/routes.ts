import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { readReceipt } from './service.ts'

export function serveReceipts(serving: ServerServing, context: Context): void {
  serveModule(serving, 'receipts', {
    get: ({ id }, { caller }) => readReceipt(context, caller, id),
  })
}
