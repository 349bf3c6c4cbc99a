import { TEAM_EVENTS_DAYS, type TeamEventKind, type TeamRole } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { MemberRow } from '../accounts/member.ts'
import { memberColumns } from '../accounts/member.ts'

export const insertTeam = (tx: Db, teamId: number, name: string, at: Date) =>
  tx.run(sql`insert into teams (user_id, name, created_at) values (${teamId}, ${name}, ${at})`)

export const renameTeam = (tx: Db, teamId: number, name: string) =>
  tx.run(sql`update teams set name = ${name} where user_id = ${teamId}`)

/** With its members, invitations and activity. */
export const deleteTeam = (tx: Db, teamId: number) => tx.run(sql`delete from teams where user_id = ${teamId}`)

export interface TeamRow {
  id: number
  team: string
  name: string
  role: TeamRole
}

/** The team with this uid, if the account is a member. */
export const findTeam = (db: Db, team: string, userId: number) =>
  db.maybe<TeamRow>(sql`
    select t.user_id as id, u.uid as team, t.name, m.role from teams t join users u on u.id = t.user_id
      join team_members m on m.team_id = t.user_id and m.user_id = ${userId}
    where u.uid = ${team}`)

/** Like `findTeam`, with the team's account as a caller. */
export const findTeamCaller = (db: Db, team: string, userId: number) =>
  db.maybe<MemberRow & { team_role: TeamRole }>(sql`
    select ${memberColumns}, m.role as team_role from teams t join users u on u.id = t.user_id
      join team_members m on m.team_id = t.user_id and m.user_id = ${userId}
    where u.uid = ${team}`)

/** The teams of an account, by name. `used` counts the trash too. */
export const teamsOf = (db: Db, userId: number) =>
  db.rows<
    TeamRow & {
      members: number
      used: number
      vip: boolean
      storage_quota: number | null
      outflow_quota: number | null
      joined_at: Date
    }
  >(sql`
    select t.user_id as id, u.uid as team, t.name, m.role, m.joined_at, u.vip, u.storage_quota, u.outflow_quota,
      u.used_bytes + u.trash_bytes as used, (select count(*) from team_members where team_id = t.user_id) as members
    from team_members m join teams t on t.user_id = m.team_id join users u on u.id = t.user_id
    where m.user_id = ${userId} order by t.name, t.user_id`)

/** The names of those accounts that are teams. */
export const teamNames = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await db.rows<{ id: number; name: string }>(
        sql`select user_id as id, name from teams where user_id = any(${ids}::bigint[])`,
      )
    ).map(({ id, name }) => [id, name]),
  )

/** The teams that an account owns, by name. */
export const ownedTeams = (db: Db, userId: number) =>
  db.rows<{ id: number; uid: string; name: string }>(sql`
    select t.user_id as id, u.uid, t.name from team_members m join teams t on t.user_id = m.team_id join users u on u.id = t.user_id
    where m.user_id = ${userId} and m.role = 'owner' order by t.name, t.user_id`)

export const countOwned = async (tx: Db, userId: number): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from team_members where user_id = ${userId} and role = 'owner'`,
    )
  ).count

export const insertMember = (tx: Db, teamId: number, userId: number, role: TeamRole, at: Date) =>
  tx.run(sql`
    insert into team_members (team_id, user_id, role, joined_at) values (${teamId}, ${userId}, ${role}, ${at})
    on conflict (team_id, user_id) do nothing`)

export interface TeamMemberRow {
  id: number
  uid: string
  email: string | null
  role: TeamRole
  joined_at: Date
  /** Neither locked nor about to be deleted. */
  active: boolean
}

const isActive = sql`(u.locked_at is null and u.closing_at is null)`

/** In the order in which they joined. */
export const membersOf = (db: Db, teamId: number) =>
  db.rows<TeamMemberRow>(sql`
    select u.id, u.uid, u.email, m.role, m.joined_at, ${isActive} as active from team_members m join users u on u.id = m.user_id
    where m.team_id = ${teamId} order by m.joined_at, u.id`)

export const updateRole = (tx: Db, teamId: number, userId: number, role: TeamRole) =>
  tx.run(sql`update team_members set role = ${role} where team_id = ${teamId} and user_id = ${userId}`)

export const deleteMember = (tx: Db, teamId: number, userId: number) =>
  tx.run(sql`delete from team_members where team_id = ${teamId} and user_id = ${userId}`)

export interface InvitationRow {
  id: number
  team_id: number
  email: string
  role: 'viewer' | 'editor'
  expires_at: Date
}

/** Replaces an invitation of the same address. */
export const upsertInvitation = (
  tx: Db,
  { team_id, email, role, expires_at }: Omit<InvitationRow, 'id'>,
  invitedBy: number,
) =>
  tx.run(sql`
    insert into team_invitations (team_id, email, role, invited_by, expires_at)
    values (${team_id}, ${email}, ${role}, ${invitedBy}, ${expires_at})
    on conflict (team_id, email) do update set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at`)

/** Open invitations of a team, oldest first. */
export const invitationsOf = (db: Db, teamId: number, at: Date) =>
  db.rows<InvitationRow>(sql`
    select id, team_id, email, role, expires_at from team_invitations where team_id = ${teamId} and expires_at > ${at} order by id`)

/** Open invitations to an address. */
export const invitationsTo = (db: Db, email: string, at: Date) =>
  db.rows<InvitationRow & { team: string; name: string; invited_by: string | null }>(sql`
    select i.id, i.team_id, i.email, i.role, i.expires_at, u.uid as team, t.name, coalesce(b.email, b.uid) as invited_by
    from team_invitations i join teams t on t.user_id = i.team_id join users u on u.id = t.user_id
      left join users b on b.id = i.invited_by
    where i.email = ${email} and i.expires_at > ${at} order by i.id`)

/** @returns the open invitation, which is now deleted */
export const deleteInvitation = (tx: Db, id: number, where: { email: string } | { teamId: number }, at: Date) =>
  tx.maybe<InvitationRow>(sql`
    delete from team_invitations where id = ${id} and expires_at > ${at}
      and ${'email' in where ? sql`email = ${where.email}` : sql`team_id = ${where.teamId}`}
    returning id, team_id, email, role, expires_at`)

export interface TeamEvent {
  teamId: number
  at: Date
  actor: { userId: number; uid: string }
  kind: TeamEventKind
  target: string
}

export const insertEvent = (tx: Db, { teamId, at, actor, kind, target }: TeamEvent) =>
  tx.run(sql`
    insert into team_events (team_id, at, actor_id, actor, kind, target)
    select user_id, ${at}, ${actor.userId}, ${actor.uid}, ${kind}, ${target} from teams where user_id = ${teamId}`)

/** Newest first. */
export const pageOfEvents = (db: Db, teamId: number, limit: number, offset: number) =>
  db.rows<{ id: number; at: Date; actor: string; email: string | null; kind: TeamEventKind; target: string }>(sql`
    select e.id, e.at, e.actor, u.email, e.kind, e.target from team_events e left join users u on u.id = e.actor_id
    where e.team_id = ${teamId} order by e.id desc limit ${limit} offset ${offset}`)

export const countEvents = async (db: Db, teamId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from team_events where team_id = ${teamId}`)).count

export const expired = (at: Date): Sql[] => [
  sql`delete from team_invitations where id in (
    select id from team_invitations where expires_at <= ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from team_events where id in (
    select id from team_events where at < ${ago(at, TEAM_EVENTS_DAYS * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** Teams that would have no active owner without this account. */
export const countSolelyOwned = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from team_members m where m.user_id = ${userId} and m.role = 'owner'
        and not exists (select from team_members o join users u on u.id = o.user_id
          where o.team_id = m.team_id and o.role = 'owner' and o.user_id <> m.user_id and ${isActive})`)
  ).count

/** Teams keep what the account did there, under its public id, as long as other events. */
export const erased = ({ id, email }: { id: number; email: string | null }): Sql[] => [
  sql`delete from team_members where user_id = ${id}`,
  sql`delete from team_invitations where email = ${email}`,
  sql`update team_invitations set invited_by = null where invited_by = ${id}`,
  sql`update team_events set actor_id = null where actor_id = ${id}`,
  sql`delete from teams where user_id = ${id}`,
]

/** The teams of an account, not their files: these are exported by acting for the team. */
export const exported = (userId: number): Sql => sql`
  select t.user_id as row_key, u.uid as team, t.name, m.role, m.joined_at from team_members m join teams t on t.user_id = m.team_id
    join users u on u.id = t.user_id where m.user_id = ${userId}`
