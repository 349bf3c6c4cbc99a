import { randomBytes } from 'node:crypto'
import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type Context, now } from '../context.ts'
import { type Deps, requireTarget } from '../workspaces/workloads.ts'

/** What a ticket is for. */
export type Action =
  | { kind: 'exec'; command: string[]; tty: boolean; columns: number; rows: number }
  | { kind: 'forward'; port: number }

const PREFIX = 'tnx_'
const LIFETIME_MS = 60_000

/** Issues a ticket for one command. @throws AppError workloadUnknown, workloadStopped */
export const issueExecTicket = (
  context: Deps,
  caller: ConsoleCaller,
  { id, ...rest }: Parsed<typeof contract.clusters.exec>,
) => issue(context, caller, id, { kind: 'exec', ...rest })

/** Issues a ticket for one connection to a port. @throws AppError workloadUnknown, workloadStopped */
export const issueForwardTicket = (
  context: Deps,
  caller: ConsoleCaller,
  { id, port }: Parsed<typeof contract.clusters.forward>,
) => issue(context, caller, id, { kind: 'forward', port })

async function issue(context: Deps, caller: ConsoleCaller, id: string, action: Action) {
  const { row } = await requireTarget(context, caller, id)
  if (row.wanted !== 'running') throw new AppError('workloadStopped')
  const ticket = `${PREFIX}${randomBytes(32).toString('base64url')}`
  const expires = new Date(context.clock.now() + LIFETIME_MS)
  await context.db.run(sql`
    insert into connection_tickets (hash, session, workload_id, action, expires_at)
    values (${hashToken(ticket)}, ${caller.session}, ${id}, ${JSON.stringify(action)}::jsonb, ${expires})`)
  return { ticket, expires_at: expires.toISOString() }
}

/** What a ticket is for; undefined if it is unknown, used or expired. It is used then. */
export async function takeTicket(
  context: Pick<Context, 'db' | 'clock'>,
  ticket: string,
): Promise<{ session: Buffer; workload: string; action: Action } | undefined> {
  if (!ticket.startsWith(PREFIX)) return undefined
  const row = await context.db.maybe<{ session: Buffer; workload: string; action: unknown }>(sql`
    delete from connection_tickets where hash = ${hashToken(ticket)} and expires_at > ${now(context)}
    returning session, workload_id as workload, action`)
  return row && { ...row, action: row.action as Action }
}

export const expired = (at: Date): Sql[] => [sql`delete from connection_tickets where expires_at < ${at}`]
