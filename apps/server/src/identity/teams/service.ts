import {
  AppError,
  type contract,
  INVITATION_LIFE,
  INVITATIONS_PER_DAY,
  includesRole,
  type Lang,
  type Output,
  type Parsed,
  TEAM_MEMBERS_MAX,
  TEAMS_MAX,
  type TeamEventKind,
  type TeamRole,
} from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import { countFailure, type FailureLimit } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { lockAccountForUpdate, openAccountWithoutEmail } from '../accounts/accounts.ts'
import { eraseAtOnce } from '../accounts/closing.ts'
import { limitsOf } from '../accounts/limits.ts'
import { idsOfUidOrEmail } from '../accounts/people.ts'
import { type Context, type Db, now } from '../context.ts'
import { notify } from '../notifications/notify.ts'
import { invitationEmail } from './emails.ts'
import * as repository from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'portalUrl'>
type Operations = typeof contract.teams
interface From {
  ip: string
}

const maxOwned = ({ vip }: { vip: boolean }): number => (vip ? TEAMS_MAX.vip : TEAMS_MAX.free)

export async function teamsOf(context: Deps, caller: Member): Promise<Output<Operations['list']>> {
  const rows = await repository.teamsOf(context.db, caller.userId)
  const invitations = caller.email === '' ? [] : await repository.invitationsTo(context.db, caller.email, now(context))
  return {
    max: maxOwned(caller),
    list: rows.map(({ team, name, role, members, used, joined_at, ...plan }) => ({
      team,
      name,
      role,
      members,
      used,
      quota: limitsOf(plan).storage,
      joined_at: joined_at.toISOString(),
    })),
    invitations: invitations.map(({ id, team, name, role, invited_by, expires_at }) => ({
      id,
      team,
      name,
      role,
      invited_by: invited_by ?? '',
      expires_at: expires_at.toISOString(),
    })),
  }
}

/** @throws AppError tooManyTeams */
export async function createTeam(context: Deps, caller: Member, name: string, from: From): Promise<{ team: string }> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    await enforceOwned(tx, caller.userId, caller)
    const { id, uid } = await openAccountWithoutEmail(tx, at)
    await repository.insertTeam(tx, id, name, at)
    await repository.insertMember(tx, id, caller.userId, 'owner', at)
    await record(context, tx, caller, from, { id, team: uid }, 'team.create', { target: name, action: 'team.create' })
    return { team: uid }
  })
}

/** @throws AppError tooManyTeams */
async function enforceOwned(tx: Db, userId: number, account: { vip: boolean }): Promise<void> {
  const max = maxOwned(account)
  if ((await repository.countOwned(tx, userId)) >= max) throw new AppError('tooManyTeams', { max })
}

/** Runs a change of a team, serialized with others of the same team. @throws AppError teamUnknown, teamRole */
function changeTeam<T>(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  uid: string,
  needed: TeamRole,
  change: (tx: Db, team: repository.TeamRow) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const found = await repository.findTeam(tx, uid, caller.userId)
    if (!found) throw new AppError('teamUnknown')
    await lockAccountForUpdate(tx, found.id)
    // The role may have changed before the lock.
    const team = await repository.findTeam(tx, uid, caller.userId)
    if (!team) throw new AppError('teamUnknown')
    if (!includesRole(team.role, needed)) throw new AppError('teamRole')
    return change(tx, team)
  })
}

type AuditedAction = Extract<Parameters<typeof audit>[4]['action'], `team.${string}`>

/** Records a change in the team's activity and in the audit log. */
async function record(
  context: Deps,
  tx: Db,
  caller: Member,
  from: From,
  { id, team }: { id: number; team: string },
  kind: TeamEventKind,
  { target, action, detail }: { target: string; action: AuditedAction; detail?: Record<string, unknown> },
): Promise<void> {
  await repository.insertEvent(tx, { teamId: id, at: now(context), actor: caller, kind, target })
  await audit(tx, context, caller, from, { action, subject: `user:${team}`, ...(detail && { detail }) })
}

export const renameTeam = (
  context: Deps,
  caller: Member,
  { team: uid, name }: { team: string; name: string },
  from: From,
) =>
  changeTeam(context, caller, uid, 'owner', async (tx, team) => {
    await repository.renameTeam(tx, team.id, name)
    await record(context, tx, caller, from, team, 'team.rename', { target: name, action: 'team.rename' })
  })

/**
 * Deletes an empty team. Its keys, webhooks and whatever else it has left are deleted like those of an account, by the same steps.
 * @throws AppError teamNotEmpty
 */
export const removeTeam = (context: Deps, caller: Member, uid: string, from: From) =>
  changeTeam(context, caller, uid, 'owner', async (tx, team) => {
    const { used_bytes, reserved_bytes, trash_bytes, asset_count } = await lockAccountForUpdate(tx, team.id)
    if (used_bytes + reserved_bytes + trash_bytes + asset_count > 0) throw new AppError('teamNotEmpty')
    await audit(tx, context, caller, from, { action: 'team.remove', subject: `user:${team.team}` })
    await repository.deleteTeam(tx, team.id)
    await eraseAtOnce(tx, team.id, now(context))
  })

export async function membersOf(context: Deps, caller: Member, uid: string): Promise<Output<Operations['members']>> {
  const team = await requireTeam(context.db, caller, uid)
  const members = await repository.membersOf(context.db, team.id)
  const invitations = team.role === 'owner' ? await repository.invitationsOf(context.db, team.id, now(context)) : []
  return {
    max: TEAM_MEMBERS_MAX,
    list: members.map(({ id, uid, email, role, joined_at }) => ({
      uid,
      email: email ?? '',
      role,
      joined_at: joined_at.toISOString(),
      you: id === caller.userId,
    })),
    invitations: invitations.map(({ id, email, role, expires_at }) => ({
      id,
      email,
      role,
      expires_at: expires_at.toISOString(),
    })),
  }
}

/** @throws AppError teamUnknown */
async function requireTeam(db: Db, caller: Member, uid: string): Promise<repository.TeamRow> {
  const team = await repository.findTeam(db, uid, caller.userId)
  if (!team) throw new AppError('teamUnknown')
  return team
}

/** What an account can make the server send, and what an address can get from all accounts. */
const SENT: FailureLimit = { kind: 'team-invitations', max: INVITATIONS_PER_DAY, within: DAY }
const RECEIVED: FailureLimit = { kind: 'team-invitations-to', max: 5, within: DAY }

/** @throws AppError teamFull, memberExists, tooManyRequests */
export const invite = (
  context: Deps,
  caller: Member,
  { team: uid, email, role }: Parsed<Operations['invite']>,
  from: From & { lang: Lang },
) =>
  changeTeam(context, caller, uid, 'owner', async (tx, team) => {
    const at = now(context)
    const members = await repository.membersOf(tx, team.id)
    if (members.some((member) => member.email === email)) throw new AppError('memberExists')
    const open = (await repository.invitationsOf(tx, team.id, at)).filter((each) => each.email !== email)
    if (members.length + open.length >= TEAM_MEMBERS_MAX) throw new AppError('teamFull', { max: TEAM_MEMBERS_MAX })
    for (const [limit, subject] of [
      [SENT, String(caller.userId)],
      [RECEIVED, email],
    ] as const) {
      const seconds = await countFailure({ db: tx, clock: context.clock }, limit, subject)
      if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
    }
    const expires_at = new Date(at.getTime() + INVITATION_LIFE)
    await repository.upsertInvitation(tx, { team_id: team.id, email, role, expires_at }, caller.userId)
    const page = `${context.config.publicUrl}/teams`
    const invited = { from: caller.email || caller.uid, to: email, role }
    const write = (lang: Lang) => invitationEmail(lang, invited, page)
    const [account] = await idsOfUidOrEmail(tx, email)
    if (account === undefined) await queueEmail(context, tx, email, write(from.lang))
    else await notify(context, tx, account, 'teams', write, { lang: from.lang, lowPriority: false })
    await record(context, tx, caller, from, team, 'member.invite', {
      target: email,
      action: 'team.invite',
      detail: { role },
    })
  })

/** @throws AppError invitationUnknown */
export const cancelInvitation = (
  context: Deps,
  caller: Member,
  { team: uid, id }: { team: string; id: number },
  from: From,
) =>
  changeTeam(context, caller, uid, 'owner', async (tx, team) => {
    const invitation = await repository.deleteInvitation(tx, id, { teamId: team.id }, now(context))
    if (!invitation) throw new AppError('invitationUnknown')
    await record(context, tx, caller, from, team, 'member.cancel', { target: invitation.email, action: 'team.cancel' })
  })

/** The invitation belongs to the verified e-mail address of the account. @throws AppError invitationUnknown, teamFull */
export async function answerInvitation(
  context: Deps,
  caller: Member,
  { id, accept }: { id: number; accept: boolean },
  from: From,
): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const invitation =
      caller.email === '' ? undefined : await repository.deleteInvitation(tx, id, { email: caller.email }, at)
    if (!invitation) throw new AppError('invitationUnknown')
    const { uid } = await lockAccountForUpdate(tx, invitation.team_id)
    const team = { id: invitation.team_id, team: uid }
    if (!accept) {
      await record(context, tx, caller, from, team, 'member.decline', { target: caller.email, action: 'team.decline' })
      return
    }
    if ((await repository.membersOf(tx, team.id)).length >= TEAM_MEMBERS_MAX)
      throw new AppError('teamFull', { max: TEAM_MEMBERS_MAX })
    await repository.insertMember(tx, team.id, caller.userId, invitation.role, at)
    await record(context, tx, caller, from, team, 'member.join', {
      target: caller.email,
      action: 'team.join',
      detail: { role: invitation.role },
    })
  })
}

/** An owner whose account is locked or about to be deleted does not count: the team would be left without one. */
const requireOtherOwner = (members: readonly repository.TeamMemberRow[], id: number): void => {
  if (!members.some((member) => member.role === 'owner' && member.active && member.id !== id))
    throw new AppError('lastOwner')
}

/** @throws AppError memberUnknown, lastOwner, tooManyTeams */
export const setRole = (
  context: Deps,
  caller: Member,
  { team: uid, uid: memberUid, role }: Parsed<Operations['setRole']>,
  from: From,
) =>
  changeTeam(context, caller, uid, 'owner', async (tx, team) => {
    const members = await repository.membersOf(tx, team.id)
    const member = members.find((each) => each.uid === memberUid)
    if (!member) throw new AppError('memberUnknown')
    if (member.role === role) return
    if (member.role === 'owner') requireOtherOwner(members, member.id)
    if (role === 'owner') await enforceOwned(tx, member.id, await lockAccountForUpdate(tx, member.id))
    await repository.updateRole(tx, team.id, member.id, role)
    const target = `${member.email ?? member.uid} ${role}`
    const detail = { member: member.uid, from: member.role, to: role }
    await record(context, tx, caller, from, team, 'member.role', { target, action: 'team.role', detail })
  })

/** @throws AppError teamRole, memberUnknown, lastOwner */
export const removeMember = (
  context: Deps,
  caller: Member,
  { team: uid, uid: memberUid }: { team: string; uid: string },
  from: From,
) =>
  changeTeam(context, caller, uid, memberUid === caller.uid ? 'viewer' : 'owner', async (tx, team) => {
    const members = await repository.membersOf(tx, team.id)
    const member = members.find((each) => each.uid === memberUid)
    if (!member) throw new AppError('memberUnknown')
    if (member.role === 'owner') requireOtherOwner(members, member.id)
    await repository.deleteMember(tx, team.id, member.id)
    const kind = memberUid === caller.uid ? 'member.leave' : 'member.remove'
    await record(context, tx, caller, from, team, kind, {
      target: member.email ?? member.uid,
      action: 'team.removeMember',
      detail: { member: member.uid },
    })
  })

export async function activityOf(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { team: uid, page, page_size }: Parsed<Operations['activity']>,
): Promise<Output<Operations['activity']>> {
  const team = await requireTeam(db, caller, uid)
  const [total, rows] = await Promise.all([
    repository.countEvents(db, team.id),
    repository.pageOfEvents(db, team.id, page_size, (page - 1) * page_size),
  ])
  return {
    total,
    list: rows.map(({ id, at, actor, email, kind, target }) => ({
      id,
      at: at.toISOString(),
      uid: actor,
      email: email ?? '',
      kind,
      target,
    })),
  }
}

export { countSolelyOwned } from './repository.ts'
