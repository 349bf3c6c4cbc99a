import { sql } from '../../platform/db/sql.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { createHealth } from './health.ts'
import { networkMap } from './map.ts'
import { networkSummary } from './summary.ts'

export function serveNetwork(serving: ServerServing, context: Context): void {
  const health = createHealth(context)
  serving.app.addHook('onClose', () => health.close())
  // Liveness does not check the database: restarting servers would not bring it back.
  serving.app.get('/livez', { exposeHeadRoute: false }, (_, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true }),
  )
  serveModule(serving, 'network', {
    onlineDevices: async () => ({ online_device_num: await countOnline(context) }),
    map: async ({ device_id }) => ({ list: await networkMap(context, device_id) }),
    summary: () => networkSummary(context),
    health: async () => ({ msg: 'success', database: true, nodes_online: await health.nodes() }),
  })
}

const countOnline = async ({ db }: Pick<Context, 'db'>): Promise<number> =>
  (await db.one<{ online: number }>(sql`select count(*) as online from nodes where status = 'online'`)).online
