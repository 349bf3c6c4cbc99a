import type { Person, TestEnv } from '../../test-env.fixture.ts'

export type SampleTeam = Awaited<ReturnType<typeof createSampleTeam>>

/** For tests: a team with a member of each role, and an account outside. */
export async function createSampleTeam(env: TestEnv) {
  const [owner, editor, viewer, outsider] = [
    await env.person(),
    await env.person(),
    await env.person(),
    await env.person(),
  ]
  const name = 'Harbour plans'
  const { team } = (await env.call('teams.create', { name }, { token: owner.token })).data
  const join = async (person: Person, role: 'viewer' | 'editor') => {
    await env.call('teams.invite', { team, email: person.email, role }, { token: owner.token })
    const [invitation] = (await env.call('teams.list', {}, { token: person.token })).data.invitations
    await env.call('teams.answer', { id: invitation?.id ?? 0, accept: true }, { token: person.token })
  }
  await join(editor, 'editor')
  await join(viewer, 'viewer')
  return { owner, editor, viewer, outsider, team, name }
}
