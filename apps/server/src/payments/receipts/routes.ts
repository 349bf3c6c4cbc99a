import { KEYS_PATH } from '@tidenet/receipts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { keySet } from './key-set.ts'
import { readReceipt } from './service.ts'

export function serveReceipts(serving: ServerServing, context: Context): void {
  serveModule(serving, 'receipts', {
    get: ({ id }, { caller }) => readReceipt(context, caller, id),
  })
  serving.app.get(KEYS_PATH, async (_, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .type('application/json')
      .send(await keySet(context)),
  )
}
