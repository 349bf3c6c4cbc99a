import { AppError } from '@tidenet/contract'
import { refusal } from '@tidenet/daemon'
import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { createLive } from './live.ts'
import * as repository from './repository.ts'
import { listNodes, listTransfers, measureFigures, showNode } from './service.ts'

const RETRY_AFTER_SECONDS = 30

export function serveExplorer(serving: ServerServing, context: Context): void {
  const cached = createCache(context)
  const live = createLive(context)
  serving.app.addHook('preClose', async () => live.stop())
  serveModule(serving, 'explorer', {
    nodes: (input) => cached(['nodes', input], () => listNodes(context, input)),
    node: ({ node_id }) => cached(['node', node_id], () => showNode(context, node_id)),
    areas: async () => ({ list: await cached(['areas'], () => repository.areas(context.db)) }),
    transfers: (input) => cached(['transfers', input], () => listTransfers(context, input)),
    figures: () => cached(['figures'], () => measureFigures(context)),
    async events(_, { ip, lang, reply }) {
      const stream = await live.listen(ip)
      // EventSource reconnects on its own unless the status is an error.
      if (!stream)
        return reply
          .code(429)
          .header('retry-after', RETRY_AFTER_SECONDS)
          .send(refusal(new AppError('tooManyRequests', { seconds: RETRY_AFTER_SECONDS }), lang)) as never
      // Tell nginx not to buffer the stream.
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream) as never
    },
  })
}
