import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TargetRow } from './addresses-repository.ts'

/** Ports of the ingress for programs that speak TCP. */

/** For so long nobody else gets the port of a program that has ended. */
export const UNUSED_MS = 72 * 3_600_000

export interface TcpPortRow {
  /** Of the ingress. */
  number: number
  workload_id: string
  /** Of the program. */
  port: number
}

export const tcpPortsOf = (db: Db, workloads: readonly string[]): Promise<TcpPortRow[]> =>
  db.rows(sql`select number, workload_id, port from tcp_ports where workload_id = any(${workloads})`)

/**
 * Gives a program's port the one that it had, or the lowest that is free.
 * @param free others may have a port that was not used since
 * @returns undefined if there is none
 */
export async function takeTcpPort(
  tx: Db,
  { workload_id, port }: Pick<TcpPortRow, 'workload_id' | 'port'>,
  { from, to }: { from: number; to: number },
  { at, free }: { at: Date; free: Date },
): Promise<number | undefined> {
  // One at a time, so that two programs cannot find the same port.
  await tx.run(sql`lock table tcp_ports in share row exclusive mode`)
  await tx.run(sql`
    delete from tcp_ports where unused_at < ${free}
      or (workload_id = ${workload_id} and port = ${port} and not number between ${from} and ${to})`)
  const own = await tx.maybe<{ number: number }>(sql`
    update tcp_ports set unused_at = null where workload_id = ${workload_id} and port = ${port} returning number`)
  if (own) return own.number
  const taken = await tx.maybe<{ number: number }>(sql`
    insert into tcp_ports (number, workload_id, port, taken_at)
    select n, ${workload_id}, ${port}, ${at} from generate_series(${from}::int, ${to}::int) n
    where not exists (select 1 from tcp_ports t where t.number = n)
    order by n limit 1
    returning number`)
  return taken?.number
}

/** Ports of an account, those included that nobody else gets yet. */
export const countTcpPorts = async (tx: Db, userId: number): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from tcp_ports t join workloads l on l.id = t.workload_id join workspaces w on w.id = l.workspace_id
      where w.user_id = ${userId}`)
  ).count

/** A program that has a port of the ingress now. */
export interface TcpTarget extends TargetRow {
  number: number
}

const used = sql`
  exists (
    select 1 from workloads l join workspaces w on w.id = l.workspace_id
      join workload_addresses a on a.workload_id = l.id and a.port = t.port
    where l.id = t.workload_id and a.access = 'tcp' and t.port = any(l.ports) and l.wanted <> 'removed' and w.state <> 'removed')`

/** Marks ports whose programs have ended or closed them, and those that are used again. */
export const markTcpPorts = (db: Db, at: Date): Promise<number> =>
  db.run(sql`
    update tcp_ports t set unused_at = case when ${used} then null else ${at}::timestamptz end
    where (t.unused_at is null) <> ${used}`)

/** Programs whose ports are to be open: they run, and their accounts are not locked. */
export const listTcpTargets = (db: Db): Promise<TcpTarget[]> =>
  db.rows(sql`
    select t.number, l.id as workload, w.id as workspace, w.cluster, w.user_id, l.ports, l.wanted, w.state as workspace_state, t.port,
      a.access, a.password
    from tcp_ports t join workloads l on l.id = t.workload_id join workspaces w on w.id = l.workspace_id
      join workload_addresses a on a.workload_id = l.id and a.port = t.port
    where a.access = 'tcp' and t.port = any(l.ports) and l.wanted = 'running' and w.state = 'ready'`)
