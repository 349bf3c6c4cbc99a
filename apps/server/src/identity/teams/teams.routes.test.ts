import { TEAMS_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { createSampleTeam, type SampleTeam } from './sample-team.fixture.ts'

let env: TestEnv
let sample: SampleTeam
beforeAll(async () => {
  env = await setup()
  sample = await createSampleTeam(env)
})
afterAll(() => env.close())

const as = ({ token }: Person) => ({ token })
const teamsOf = async (person: Person) => (await env.call('teams.list', {}, as(person))).data
const membersOf = async (person: Person, team: string) => (await env.call('teams.members', { team }, as(person))).data
const roleOf = async (person: Person, team: string) =>
  (await teamsOf(person)).list.find((each) => each.team === team)?.role

describe('a team', () => {
  it('is created by a member of the network, who owns it, with a quota of its own', async () => {
    const ada = await env.person()
    const { data } = await env.call('teams.create', { name: 'Design' }, as(ada))
    const { list, max } = await teamsOf(ada)
    expect(max).toBe(TEAMS_MAX.free)
    expect(list).toMatchObject([{ team: data.team, name: 'Design', role: 'owner', members: 1, used: 0 }])
    expect(list[0]?.quota).toBeGreaterThan(0)
    expect(data.team).not.toBe(ada.uid)
  })

  it('is renamed and deleted by its owner while it has no files', async () => {
    const ada = await env.person()
    const { team } = (await env.call('teams.create', { name: 'Old' }, as(ada))).data
    await env.call('teams.rename', { team, name: 'New' }, as(ada))
    expect((await teamsOf(ada)).list[0]?.name).toBe('New')
    expect((await env.call('teams.remove', { team }, as(ada))).code).toBe(0)
    expect((await teamsOf(ada)).list).toEqual([])
    expect((await env.call('teams.create', { name: 'Next' }, as(ada))).code).toBe(0)
  })

  it('cannot be owned more often than the plan allows', async () => {
    const ada = await env.person()
    for (let owned = 0; owned < TEAMS_MAX.free; owned++) await env.call('teams.create', { name: 'One' }, as(ada))
    expect(await env.call('teams.create', { name: 'More' }, as(ada))).toMatchObject({ err: 2124 })
    const race = await env.person()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => env.call('teams.create', { name: 'Race' }, as(race))),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(TEAMS_MAX.free)
  })
})

describe('an invitation', () => {
  it('is mailed without the name of the team, and accepted by the account with this address', async () => {
    const { owner, team } = sample
    const ben = await env.person()
    await env.call('teams.invite', { team, email: ben.email.toUpperCase(), role: 'editor' }, as(owner))
    const [mail] = await inbox(env, ben.email)
    expect(mail?.text).toContain(owner.email)
    expect(mail?.text).not.toContain(sample.name)
    const [invitation] = (await teamsOf(ben)).invitations
    expect(invitation).toMatchObject({ team, role: 'editor', invited_by: owner.email })
    await env.call('teams.answer', { id: invitation?.id ?? 0, accept: true }, as(ben))
    expect(await roleOf(ben, team)).toBe('editor')
    expect((await teamsOf(ben)).invitations).toEqual([])
  })

  it('to an address without an account waits until there is one', async () => {
    const { owner, team } = sample
    await env.call('teams.invite', { team, email: 'later@mail.test', role: 'viewer' }, as(owner))
    expect((await membersOf(owner, team)).invitations).toMatchObject([{ email: 'later@mail.test', role: 'viewer' }])
  })

  it('is declined or withdrawn once', async () => {
    const { owner, team } = sample
    const [ben, eve] = [await env.person(), await env.person()]
    for (const { email } of [ben, eve]) await env.call('teams.invite', { team, email, role: 'viewer' }, as(owner))
    const id = (await teamsOf(ben)).invitations[0]?.id ?? 0
    expect((await env.call('teams.answer', { id, accept: false }, as(ben))).code).toBe(0)
    expect(await env.call('teams.answer', { id, accept: true }, as(ben))).toMatchObject({ err: 2128 })
    const other = (await teamsOf(eve)).invitations[0]?.id ?? 0
    await env.call('teams.cancelInvitation', { team, id: other }, as(owner))
    expect(await env.call('teams.answer', { id: other, accept: true }, as(eve))).toMatchObject({ err: 2128 })
    expect(await roleOf(eve, team)).toBeUndefined()
  })

  it('is refused to members, to other accounts, after its time, and in floods', async () => {
    const { owner, editor, viewer, outsider, team } = sample
    expect(await env.call('teams.invite', { team, email: viewer.email, role: 'editor' }, as(owner))).toMatchObject({
      err: 2125,
    })
    for (const person of [editor, viewer])
      expect(await env.call('teams.invite', { team, email: 'x@mail.test', role: 'viewer' }, as(person))).toMatchObject({
        err: 2121,
      })
    const ben = await env.person()
    await env.call('teams.invite', { team, email: ben.email, role: 'viewer' }, as(owner))
    const id = (await teamsOf(ben)).invitations[0]?.id ?? 0
    expect(await env.call('teams.answer', { id, accept: true }, as(outsider))).toMatchObject({ err: 2128 })
    const answers = []
    for (let sent = 0; sent < 6; sent++)
      answers.push(await env.call('teams.invite', { team, email: 'flood@mail.test', role: 'viewer' }, as(owner)))
    expect(answers.at(-1)).toMatchObject({ err: 1020 })
    const late = new Date(env.clock.now() - 1)
    await env.db.run(sql`update team_invitations set expires_at = ${late} where id = ${id}`)
    expect((await teamsOf(ben)).invitations).toEqual([])
    expect(await env.call('teams.answer', { id, accept: true }, as(ben))).toMatchObject({ err: 2128 })
  })
})

describe('members', () => {
  it('get another role, hand the team over, and leave', async () => {
    const { owner, editor, viewer, team } = await createSampleTeam(env)
    await env.call('teams.setRole', { team, uid: viewer.uid, role: 'editor' }, as(owner))
    expect(await roleOf(viewer, team)).toBe('editor')
    await env.call('teams.setRole', { team, uid: editor.uid, role: 'owner' }, as(owner))
    expect((await env.call('teams.removeMember', { team, uid: owner.uid }, as(owner))).code).toBe(0)
    expect(await roleOf(owner, team)).toBeUndefined()
    expect((await membersOf(editor, team)).list.map(({ role }) => role).sort()).toEqual(['editor', 'owner'])
  })

  it('never leave a team without an owner, also when two owners leave at once', async () => {
    const { owner, editor, team } = await createSampleTeam(env)
    expect(await env.call('teams.removeMember', { team, uid: owner.uid }, as(owner))).toMatchObject({ err: 2127 })
    expect(await env.call('teams.setRole', { team, uid: owner.uid, role: 'viewer' }, as(owner))).toMatchObject({
      err: 2127,
    })
    await env.call('teams.setRole', { team, uid: editor.uid, role: 'owner' }, as(owner))
    const left = await Promise.all(
      [owner, editor].map((person) => env.call('teams.removeMember', { team, uid: person.uid }, as(person))),
    )
    expect(left.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('never leave a team with only owners whose accounts are locked or about to be deleted', async () => {
    const { owner, editor, team } = await createSampleTeam(env)
    await env.call('teams.setRole', { team, uid: editor.uid, role: 'owner' }, as(owner))
    const leaving = () => env.call('teams.removeMember', { team, uid: owner.uid }, as(owner))
    await env.call('closing.start', { confirm: editor.email }, as(editor))
    expect(await leaving()).toMatchObject({ err: 2127 })
    await env.call('closing.cancel', {}, as(editor))
    await env.db.run(sql`update users set locked_at = now() where id = ${editor.id}`)
    expect(await leaving()).toMatchObject({ err: 2127 })
    await env.db.run(sql`update users set locked_at = null where id = ${editor.id}`)
    expect(await leaving()).toMatchObject({ code: 0 })
  })

  it('who are not owners change nobody; others see nothing', async () => {
    const { owner, editor, viewer, outsider, team } = sample
    for (const person of [editor, viewer]) {
      expect(await env.call('teams.setRole', { team, uid: person.uid, role: 'owner' }, as(person))).toMatchObject({
        err: 2121,
      })
      expect(await env.call('teams.removeMember', { team, uid: owner.uid }, as(person))).toMatchObject({ err: 2121 })
      expect(await env.call('teams.rename', { team, name: 'Mine' }, as(person))).toMatchObject({ err: 2121 })
      expect(await env.call('teams.remove', { team }, as(person))).toMatchObject({ err: 2121 })
      expect((await membersOf(person, team)).invitations).toEqual([])
    }
    for (const name of ['teams.members', 'teams.activity', 'teams.remove'] as const)
      expect(await env.call(name, { team }, as(outsider))).toMatchObject({ err: 2120 })
    expect(await env.call('teams.removeMember', { team, uid: outsider.uid }, as(outsider))).toMatchObject({ err: 2120 })
    expect(await env.call('teams.members', { team: outsider.uid }, as(outsider))).toMatchObject({ err: 2120 })
  })
})

describe('the activity of a team', () => {
  it('names the member, the change and its object, and no refused calls', async () => {
    const { owner, editor, viewer, team } = await createSampleTeam(env)
    const folder = (person: Person, name: string) =>
      env.call('folders.create', { name, parent: 0 }, { ...as(person), team })
    expect((await folder(editor, 'Plans')).code).toBe(0)
    expect((await folder(viewer, 'Mine')).code).toBe(-1)
    const { list } = (await env.call('teams.activity', { team }, as(viewer))).data
    expect(list[0]).toMatchObject({ uid: editor.uid, email: editor.email, kind: 'folder.create', target: 'Plans' })
    expect(list.filter(({ target }) => target === 'Mine')).toEqual([])
    expect(list.at(-1)).toMatchObject({ uid: owner.uid, kind: 'team.create' })
  })

  it('names what was changed, whatever else a call contains', async () => {
    const { owner, editor, team } = await createSampleTeam(env)
    const input = { name: 'Plans', new_name: 'forged', ids: ['forged'], assets: ['forged', 'forged'] }
    await env.call('folders.create', input, { ...as(editor), team })
    expect((await env.call('teams.activity', { team }, as(owner))).data.list[0]).toMatchObject({
      kind: 'folder.create',
      target: 'Plans',
    })
  })
})
