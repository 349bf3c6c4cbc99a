import { z } from 'zod'
import { email, int, name, nothing, page, pageSize, uid } from '../fields.ts'
import { TEAM_ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { TEAM_EVENTS } from '../teams.ts'

const role = z.enum(TEAM_ROLES)
const invitedRole = z.enum(['viewer', 'editor'])
const team = uid.min(1)
const changed = nothing
const nameErrors = ['nameMissing', 'nameTooLong', 'nameForbidden'] as const

/**
 * Teams: accounts that nobody signs in to. Members call the operations of files with the header `Team: <uid of the team>`, and then act for
 * the team with the permissions of their role.
 */
export const teams = {
  list: route({
    method: 'GET',
    path: '/api/v1/teams',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Teams that the caller may own. */
      max: z.number(),
      list: z.array(
        z.object({
          team: z.string(),
          name: z.string(),
          role,
          members: z.number(),
          /** Bytes: stored, with the trash, and the team's quota. */
          used: z.number(),
          quota: z.number(),
          joined_at: z.string(),
        }),
      ),
      /** Invitations to the caller's e-mail address. */
      invitations: z.array(
        z.object({
          id: z.number(),
          team: z.string(),
          name: z.string(),
          role,
          invited_by: z.string(),
          expires_at: z.string(),
        }),
      ),
    }),
    errors: [],
    summary: 'Lists the teams of the caller, and invitations to the e-mail address of the account',
  }),
  create: route({
    method: 'POST',
    path: '/api/v1/teams/create',
    auth: 'session',
    input: z.object({ name }),
    output: z.object({ team: z.string() }),
    errors: [...nameErrors, 'tooManyTeams'],
    summary: 'Creates a team with a quota of its own; the caller becomes its owner',
  }),
  rename: route({
    method: 'POST',
    path: '/api/v1/teams/rename',
    repeatable: true,
    auth: 'session',
    input: z.object({ team, name }),
    output: changed,
    errors: [...nameErrors, 'teamUnknown', 'teamRole'],
    summary: 'Renames a team; owners only',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/teams/remove',
    auth: 'session',
    input: z.object({ team }),
    output: changed,
    errors: ['teamUnknown', 'teamRole', 'teamNotEmpty'],
    summary: 'Deletes an empty team with its members, API keys and webhooks; owners only',
  }),
  members: route({
    method: 'GET',
    path: '/api/v1/teams/members',
    auth: 'session',
    input: z.object({ team }),
    output: z.object({
      max: z.number(),
      list: z.array(
        z.object({
          uid: z.string(),
          /** Empty for an account without an e-mail address. */
          email: z.string(),
          role,
          joined_at: z.string(),
          you: z.boolean(),
        }),
      ),
      /** Open invitations; for owners only, otherwise empty. */
      invitations: z.array(z.object({ id: z.number(), email: z.string(), role, expires_at: z.string() })),
    }),
    errors: ['teamUnknown'],
    summary: 'Lists the members of a team',
  }),
  invite: route({
    method: 'POST',
    path: '/api/v1/teams/invite',
    auth: 'session',
    /** Again for the same address: replaces the invitation, and sends a new e-mail. Owners are made of members. */
    input: z.object({ team, email, role: invitedRole }),
    output: changed,
    errors: ['emailMissing', 'emailInvalid', 'teamUnknown', 'teamRole', 'teamFull', 'memberExists', 'tooManyRequests'],
    summary: 'Invites the account with this e-mail address, which may not exist yet; owners only',
  }),
  cancelInvitation: route({
    method: 'POST',
    path: '/api/v1/teams/cancel_invitation',
    auth: 'session',
    input: z.object({ team, id: int(1) }),
    output: changed,
    errors: ['teamUnknown', 'teamRole', 'invitationUnknown'],
    summary: 'Withdraws an invitation; owners only',
  }),
  answer: route({
    method: 'POST',
    path: '/api/v1/teams/answer',
    auth: 'session',
    input: z.object({ id: int(1), accept: z.boolean() }),
    output: changed,
    errors: ['invitationUnknown', 'teamFull'],
    summary: 'Accepts or declines an invitation to the e-mail address of the caller',
  }),
  setRole: route({
    method: 'POST',
    path: '/api/v1/teams/set_role',
    repeatable: true,
    auth: 'session',
    input: z.object({ team, uid, role }),
    output: changed,
    errors: ['teamUnknown', 'teamRole', 'memberUnknown', 'lastOwner', 'tooManyTeams'],
    summary: 'Changes the role of a member; owners only. A team always has an owner',
  }),
  removeMember: route({
    method: 'POST',
    path: '/api/v1/teams/remove_member',
    auth: 'session',
    input: z.object({ team, uid }),
    output: changed,
    errors: ['teamUnknown', 'teamRole', 'memberUnknown', 'lastOwner'],
    summary: 'Removes a member (owners only), or the caller, who leaves',
  }),
  activity: route({
    method: 'GET',
    path: '/api/v1/teams/activity',
    auth: 'session',
    input: z.object({ team, page, page_size: pageSize }),
    output: z.object({
      total: z.number(),
      list: z.array(
        z.object({
          id: z.number(),
          at: z.string(),
          /** The member; the address is empty if the account is gone or has none. */
          uid: z.string(),
          email: z.string(),
          kind: z.enum(TEAM_EVENTS),
          /** What it was about: a name, an address or a CID. */
          target: z.string(),
        }),
      ),
    }),
    errors: ['teamUnknown'],
    summary: 'Lists what members did with the team, newest first; kept for a year',
  }),
}
