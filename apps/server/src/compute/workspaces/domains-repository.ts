import type { DOMAIN_PROBLEMS } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TargetRow } from './addresses-repository.ts'

export type DomainProblem = (typeof DOMAIN_PROBLEMS)[number] | ''

export interface DomainRow {
  domain: string
  workload_id: string
  port: number
  added_at: Date
  proven_at: Date | null
  problem: DomainProblem
  detail: string
  certificate_until: Date | null
}

export const domainsOf = (db: Db, workloads: readonly string[]): Promise<DomainRow[]> =>
  db.rows(sql`
    select domain, workload_id, port, added_at, proven_at, problem, detail, certificate_until from workload_domains
    where workload_id = any(${workloads}) order by domain`)

export const countDomains = async (db: Db, workspace: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from workload_domains d join workloads l on l.id = d.workload_id
      where l.workspace_id = ${workspace} and l.wanted <> 'removed'`)
  ).count

/** Whether another program has proven it. */
export const isProvenElsewhere = async (db: Db, domain: string, workload: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 as found from workload_domains d join workloads l on l.id = d.workload_id join workspaces w on w.id = l.workspace_id
    where d.domain = ${domain} and d.workload_id <> ${workload} and d.proven_at is not null
      and l.wanted <> 'removed' and w.state <> 'removed'`)) !== undefined

export const saveDomain = (
  tx: Db,
  { domain, workload_id, port }: Pick<DomainRow, 'domain' | 'workload_id' | 'port'>,
  at: Date,
) =>
  tx.run(sql`
    insert into workload_domains (domain, workload_id, port, added_at, next_check_at)
    values (${domain}, ${workload_id}, ${port}, ${at}, ${at})
    on conflict (workload_id, domain) do update set port = excluded.port, next_check_at = excluded.next_check_at`)

/** @returns whether there was one */
export const askForCheck = async (db: Db, workload: string, domain: string, at: Date): Promise<boolean> =>
  (await db.run(sql`
    update workload_domains set next_check_at = ${at}, asked = true where workload_id = ${workload} and domain = ${domain}`)) >
  0

/** @returns whether there was one */
export const deleteDomain = async (tx: Db, workload: string, domain: string): Promise<boolean> =>
  (await tx.run(sql`delete from workload_domains where workload_id = ${workload} and domain = ${domain}`)) > 0

/** The program of a proven domain; undefined if there is none, or if it has no such port any more. */
export const findDomainTarget = (db: Db, domain: string): Promise<TargetRow | undefined> =>
  db.maybe(sql`
    select l.id as workload, w.id as workspace, w.cluster, w.user_id, l.ports, l.wanted, w.state as workspace_state, d.port,
      coalesce(a.access, 'account') as access, a.password
    from workload_domains d join workloads l on l.id = d.workload_id join workspaces w on w.id = l.workspace_id
      left join workload_addresses a on a.workload_id = l.id and a.port = d.port
    where d.domain = ${domain} and d.proven_at is not null and w.state <> 'removed' and l.wanted <> 'removed' and d.port = any(l.ports)`)

/** A domain whose records are to be looked at, with what its alias must lead to. */
export interface DueDomain extends Pick<DomainRow, 'domain' | 'workload_id' | 'port' | 'added_at' | 'proven_at'> {
  program: string
  workspace: string
  ports: number[]
  asked: boolean
}

/** Domains to look at now. Nobody else gets them until `nextAt`. */
export const claimDueDomains = (db: Db, at: Date, nextAt: Date, most: number): Promise<DueDomain[]> =>
  db.rows(sql`
    with due as (
      select workload_id, domain, asked from workload_domains where next_check_at <= ${at}
      order by next_check_at limit ${most} for update skip locked)
    update workload_domains d set next_check_at = ${nextAt}, asked = false
    from due join workloads l on l.id = due.workload_id join workspaces w on w.id = l.workspace_id
    where d.workload_id = due.workload_id and d.domain = due.domain
    returning d.domain, d.workload_id, d.port, d.added_at, d.proven_at, l.name as program, w.code as workspace, l.ports, due.asked`)

/** What a look at a domain came to. `proven_at`: unchanged if undefined. */
export interface DomainCheck extends Pick<DomainRow, 'domain' | 'workload_id' | 'problem' | 'detail'> {
  proven_at: Date | undefined
  certificate_until: Date | undefined
  next_check_at: Date
}

/** @returns whether it was saved; not if another program has proven the domain meanwhile. Its owner may have asked for another look. */
export const saveCheck = async (tx: Db, check: DomainCheck): Promise<boolean> =>
  (await tx.run(sql`
    update workload_domains d set proven_at = coalesce(${check.proven_at ?? null}::timestamptz, d.proven_at), problem = ${check.problem},
      detail = ${check.detail}, certificate_until = ${check.certificate_until ?? null},
      next_check_at = case when d.asked then d.next_check_at else ${check.next_check_at} end
    where d.workload_id = ${check.workload_id} and d.domain = ${check.domain}
      and (${check.proven_at ?? null}::timestamptz is null or not exists (
        select 1 from workload_domains o where o.domain = d.domain and o.workload_id <> d.workload_id and o.proven_at is not null))`)) >
  0

/** Domains whose certificates are kept. */
export const provenDomains = async (db: Db): Promise<string[]> =>
  (
    await db.rows<{ domain: string }>(sql`
      select d.domain from workload_domains d join workloads l on l.id = d.workload_id join workspaces w on w.id = l.workspace_id
      where d.proven_at is not null and l.wanted <> 'removed' and w.state <> 'removed'`)
  ).map(({ domain }) => domain)

/** Gives up domains of programs that were removed, those that were never proven, and those whose records have been wrong for long. */
export const deleteLostDomains = (db: Db, before: { unproven: Date; lost: Date }): Promise<number> =>
  db.run(sql`
    delete from workload_domains d using workloads l, workspaces w
    where l.id = d.workload_id and w.id = l.workspace_id and (l.wanted = 'removed' or w.state = 'removed'
      or (d.proven_at is null and d.added_at < ${before.unproven}) or d.proven_at < ${before.lost})`)
