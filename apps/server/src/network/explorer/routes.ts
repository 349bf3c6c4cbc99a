import { AppError } from '@tidenet/contract'
import { refusal } from '@tidenet/daemon'
import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { createLive } from './live.ts'
import * as repository from './repository.ts'
import { listNodes, listTransfers, measureFigures, showNode } from './service.ts'

/** Seconds after which somebody for whom there was no room may ask again. */
const COME_BACK = 30

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
      // A browser asks again by itself unless it is told by a status that it must not.
      if (!stream)
        return reply
          .code(429)
          .header('retry-after', COME_BACK)
          .send(refusal(new AppError('tooManyRequests', { seconds: COME_BACK }), lang)) as never
      // Proxies that gather answers before they pass them on are asked not to.
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream) as never
    },
  })
}
