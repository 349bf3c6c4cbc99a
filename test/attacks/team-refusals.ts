import { TEAM_MEMBERS_MAX } from '@tidenet/contract'
import { createSampleTeam } from '../../apps/server/src/identity/teams/sample-team.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import type { As, Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { cn } from './refused.ts'

/** Provokes each refusal of teams. */
export function teamRefusals(env: () => TestEnv) {
  const as = ({ token }: Person): As => ({ ...cn, token })
  return {
    teamUnknown: async (other: As) => {
      const { team } = await createSampleTeam(env())
      return env().call('teams.members', { team }, other)
    },
    teamRole: async () => {
      const { team, editor } = await createSampleTeam(env())
      return env().call('teams.rename', { team, name: 'Mine' }, as(editor))
    },
    teamNotEmpty: async () => {
      const { team, owner } = await createSampleTeam(env())
      const { id } = await env().db.one<{ id: number }>(sql`select id from users where uid = ${team}`)
      await sampleFile(env().db, id)
      return env().call('teams.remove', { team }, as(owner))
    },
    teamFull: async () => {
      const { team, owner } = await createSampleTeam(env())
      await env().db.run(sql`
        insert into team_invitations (team_id, email, role, expires_at)
        select u.id, i || '@full.test', 'viewer', ${new Date(env().clock.now() + 60_000)}
        from users u, generate_series(1, ${TEAM_MEMBERS_MAX}::int) i where u.uid = ${team}`)
      return env().call('teams.invite', { team, email: 'more@full.test', role: 'viewer' }, as(owner))
    },
    tooManyTeams: async () => {
      const { owner } = await createSampleTeam(env())
      return env().call('teams.create', { name: 'Another' }, as(owner))
    },
    memberExists: async () => {
      const { team, owner, viewer } = await createSampleTeam(env())
      return env().call('teams.invite', { team, email: viewer.email, role: 'editor' }, as(owner))
    },
    memberUnknown: async () => {
      const { team, owner, outsider } = await createSampleTeam(env())
      return env().call('teams.setRole', { team, uid: outsider.uid, role: 'editor' }, as(owner))
    },
    lastOwner: async () => {
      const { team, owner } = await createSampleTeam(env())
      return env().call('teams.removeMember', { team, uid: owner.uid }, as(owner))
    },
    invitationUnknown: (other: As) => env().call('teams.answer', { id: 1_000_000, accept: true }, other),
  }
}
