import { AppError } from '@tidenet/contract'
import type { ServerServing } from '../app.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { serveDuty } from '../operations.ts'
import { networkMap } from './map.ts'
import { networkSummary } from './summary.ts'

export function serveNetwork(serving: ServerServing, context: Context): void {
  serveDuty(serving, 'network', {
    onlineDevices: async () => ({ online_device_num: await countOnline(context) }),
    map: async ({ device_id }) => ({ list: await networkMap(context, device_id) }),
    summary: () => networkSummary(context),
    health: async () => {
      const nodes = await countUsable(context).catch((error: unknown) => {
        context.log.error({ err: error }, 'the database does not answer')
        throw new AppError('internal')
      })
      return { msg: 'success', database: true, nodes_online: nodes }
    },
  })
}

/** Online and reachable: those that take uploads and serve. */
const countUsable = async ({ db }: Pick<Context, 'db'>): Promise<number> =>
  (await db.one<{ usable: number }>(sql`select count(*) as usable from nodes where status = 'online' and reachable`))
    .usable

const countOnline = async ({ db }: Pick<Context, 'db'>): Promise<number> =>
  (await db.one<{ online: number }>(sql`select count(*) as online from nodes where status = 'online'`)).online
