import { AppError, permissionsOfRole, type TeamRole } from '@tidenet/contract'
import type { Member } from '../../platform/http/callers.ts'
import { toMember } from '../accounts/member.ts'
import type { Context } from '../context.ts'
import { findTeamCaller } from './repository.ts'

/**
 * The team as a caller: its account, with the permissions of the person's role.
 * @returns 'locked' if the team's account is locked
 * @throws AppError teamUnknown if the person is not a member; forbidden for API keys, which belong to one account
 */
export async function actFor(
  { db }: Pick<Context, 'db'>,
  person: Member,
  team: string,
): Promise<{ member: Member; role: TeamRole } | 'locked'> {
  if (person.via !== 'session') throw new AppError('forbidden')
  const row = await findTeamCaller(db, team, person.userId)
  if (!row) throw new AppError('teamUnknown')
  const { locked, team_role: role } = row
  if (locked) return 'locked'
  const permissions = role === 'owner' ? 'all' : new Set(permissionsOfRole(role))
  return {
    member: {
      ...toMember(row, { via: 'team', credential: person.credential, permissions, folders: null }),
      actor: { userId: person.userId, uid: person.uid },
    },
    role,
  }
}
