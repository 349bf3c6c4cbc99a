import { includesRole, type TeamRole } from './roles.ts'
import { PERMISSIONS, type Permission, type Route } from './route.ts'

/** The permissions of an API key that a role has on the team's files. */
export const permissionsOfRole = (role: TeamRole): readonly Permission[] =>
  role === 'viewer' ? ['readFile', 'readFolder'] : PERMISSIONS.filter((each) => each !== 'readDevices')

/** Whether members with this role may call the operation for their team. Operations that say nothing about teams are refused. */
export function isTeamOperation({ auth, team }: Pick<Route, 'auth' | 'team'>, role: TeamRole): boolean {
  if (team) return includesRole(role, team)
  return PERMISSIONS.some((permission) => permission === auth) && permissionsOfRole(role).some((each) => each === auth)
}

/** Whether any member may call it for the team. */
export const isTeamRoute = (route: Pick<Route, 'auth' | 'team'>): boolean => isTeamOperation(route, 'owner')

/** Teams that an account may own; teams of locked accounts count. */
export const TEAMS_MAX = { free: 1, vip: 10 }
/** Members of a team, with invitations. */
export const TEAM_MEMBERS_MAX = 50
/** How long an invitation can be accepted, ms. */
export const INVITATION_LIFE = 7 * 86_400_000
/** E-mails with invitations that an account can send in 24 hours. */
export const INVITATIONS_PER_DAY = 20
/** How long the activity of a team is kept, days. */
export const TEAM_EVENTS_DAYS = 365

/** Everything that the activity of a team records. */
export const TEAM_EVENTS = [
  'team.create',
  'team.rename',
  'member.invite',
  'member.cancel',
  'member.join',
  'member.decline',
  'member.role',
  'member.remove',
  'member.leave',
  'file.upload',
  'file.rename',
  'file.move',
  'file.remove',
  'file.object',
  'file.publish',
  'file.unpublish',
  'folder.create',
  'folder.rename',
  'folder.move',
  'folder.remove',
  'trash.restore',
  'trash.delete',
  'share.create',
  'share.change',
  'share.remove',
  'key.change',
  'webhook.change',
  'setting.change',
] as const
export type TeamEventKind = (typeof TEAM_EVENTS)[number]
