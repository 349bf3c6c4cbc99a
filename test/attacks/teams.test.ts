import {
  contract,
  errors,
  isTeamOperation,
  isTeamRoute,
  type OperationName,
  type Route,
  TEAM_ROLES,
  type TeamRole,
} from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_OF } from '../../apps/server/src/identity/teams/events.ts'
import { createSampleTeam, type SampleTeam } from '../../apps/server/src/identity/teams/sample-team.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let ours: SampleTeam
let theirs: SampleTeam
beforeAll(async () => {
  env = await setup()
  ours = await createSampleTeam(env)
  theirs = await createSampleTeam(env)
})
afterAll(() => env.close())

const operations = Object.entries(contract).flatMap(([module, group]) =>
  Object.entries(group as Record<string, Route>).map(([name, route]) => ({
    name: `${module}.${name}` as OperationName,
    route,
  })),
)
/** Operations that identify a person; `logout` would end the session that the next call needs. */
const personal = operations.filter(
  ({ name, route }) => !['public', 'node', 'gateway', 'console'].includes(route.auth) && name !== 'accounts.logout',
)

type Verdict = 'let in' | 'forbidden' | 'no member' | string
let places = 0
async function verdict({ route }: { route: Route }, headers: Record<string, string>): Promise<Verdict> {
  places += 1
  const answer = await env.app.inject({
    method: route.method,
    url: route.path.replace(/:\w+/g, '-'),
    headers,
    ...(route.method === 'POST' && { payload: {} }),
    remoteAddress: `10.9.${(places >> 8) & 255}.${places & 255}`,
  })
  if (answer.statusCode !== 200) return `HTTP ${answer.statusCode}`
  if (!answer.headers['content-type']?.toString().includes('json')) return 'let in'
  const { code, err } = answer.json<{ code: number; err?: number }>()
  if (code === 401) return 'not signed in'
  if (err === errors.forbidden.err) return 'forbidden'
  return err === errors.teamUnknown.err ? 'no member' : 'let in'
}

async function differing(person: Person, team: string, expected: (route: Route) => Verdict): Promise<string[]> {
  const wrong: string[] = []
  for (const operation of personal) {
    const got = await verdict(operation, { jwtauthorization: `Bearer ${person.token}`, team })
    if (got !== expected(operation.route)) wrong.push(`${operation.name} (${operation.route.auth}): ${got}`)
  }
  return wrong
}

describe('every operation, called for a team,', () => {
  it.each(TEAM_ROLES)('admits a member with the role %s where this role is enough, and nowhere else', async (role) => {
    const expected = (route: Route) => (isTeamOperation(route, role) ? 'let in' : 'forbidden')
    expect(await differing(ours[role], ours.team, expected)).toEqual([])
  })

  it('refuses accounts that are not members, members of other teams, and names that are no team', async () => {
    for (const [person, team] of [
      [ours.outsider, ours.team],
      [theirs.owner, ours.team],
      [ours.owner, theirs.team],
      [ours.owner, ours.viewer.uid],
      [ours.owner, "' or 1=1 --"],
    ] as const)
      expect(await differing(person, team, () => 'no member')).toEqual([])
  })

  it('refuses API keys of persons: a key belongs to one account', async () => {
    const key = await env.key(ours.owner, 'admin')
    for (const operation of personal)
      expect([operation.name, await verdict(operation, { apikey: key, team: ours.team })]).toEqual([
        operation.name,
        'forbidden',
      ])
  })
})

describe('a team', () => {
  /** They change nothing that members see, or belong to an upload or download. */
  const WITHOUT_EVENT: OperationName[] = [
    'webhooks.test',
    'webhooks.replay',
    'folders.findNames',
    'folderUploads.info',
    'folders.manifest',
    'assets.challenge',
    'assets.challengeFailed',
    'uploads.prove',
    'uploads.cancel',
    'traces.report',
    'thumbnails.get',
    'thumbnails.keep',
    's3.settings',
    's3.versions',
    's3.canPut',
    's3.cors',
    's3.list',
    's3.find',
    's3.open',
    's3Uploads.begin',
    's3Uploads.find',
    's3Uploads.putPart',
    's3Uploads.parts',
    's3Uploads.openPart',
    's3Uploads.join',
    's3Uploads.list',
    's3Uploads.end',
    'imports.cancel',
    'imports.retry',
  ]

  it('has an event for every change that members can make', () => {
    const changes = operations.filter(
      ({ name, route }) =>
        isTeamRoute(route) && (route.method === 'POST' || route.alsoPost) && !WITHOUT_EVENT.includes(name),
    )
    expect(changes.filter(({ name }) => !EVENT_OF[name]).map(({ name }) => name)).toEqual([])
  })

  it('keeps its files apart from those of its members and of other teams', async () => {
    const [team] = [await idOf(ours.team)]
    const file = await sampleFile(env.db, team)
    const folder = (await env.call('folders.create', { name: 'Ours' }, { token: ours.owner.token, team: ours.team }))
      .data
    const calls = [
      ['assets.rename', { asset_cid: file.cid, new_name: 'mine' }],
      ['assets.remove', { asset_cid: file.cid }],
      ['assets.move', { asset_cid: file.cid, group_id: 0 }],
      ['folders.remove', { group_id: folder.group.ID, force: true }],
      ['shares.create', { cid: file.cid }],
      ['folders.item', { cid: file.cid }],
      ['trash.put', { assets: [file.cid] }],
    ] as const
    for (const as of [
      { token: ours.owner.token },
      { token: theirs.owner.token, team: theirs.team },
      { token: ours.outsider.token },
    ])
      for (const [name, input] of calls) {
        const answer = await env.call(name as 'trash.put', input as never, as)
        const done = answer.code === 0 && answer.data.results?.[0]?.ok !== false
        expect([name, done]).toEqual([name, false])
      }
    const { data } = await env.call('folders.contents', {}, { token: ours.viewer.token, team: ours.team })
    expect(data.total).toBe(2)
  })

  it('shows the password of a share link to editors, not to viewers', async () => {
    const one = await createSampleTeam(env)
    const { cid } = await sampleFile(env.db, await idOf(one.team))
    await env.call('shares.create', { cid, short_pass: 'abc123' }, { token: one.owner.token, team: one.team })
    const info = (token: string) => env.call('shares.info', { cid }, { token, team: one.team })
    expect((await info(one.editor.token)).data.link.short_pass).toBe('abc123')
    expect(JSON.stringify(await info(one.viewer.token))).not.toContain('abc123')
  })

  it('is not deleted with files in it, and not by editors', async () => {
    const one = await createSampleTeam(env)
    await sampleFile(env.db, await idOf(one.team))
    expect(await env.call('teams.remove', { team: one.team }, { token: one.owner.token })).toMatchObject({ err: 2122 })
    expect(await env.call('teams.remove', { team: one.team }, { token: one.editor.token })).toMatchObject({ err: 2121 })
  })

  it('has API keys of its own, which its owners make, and which end with it', async () => {
    const one = await createSampleTeam(env)
    const { data } = await env.call('apiKeys.create', { key_name: 'build' }, { token: one.owner.token, team: one.team })
    expect((await env.call('folders.create', { name: 'By key' }, { token: data.key })).code).toBe(0)
    const { list } = (await env.call('folders.list', {}, { token: one.viewer.token, team: one.team })).data
    expect(list.map(({ Name }) => Name)).toEqual(['By key'])
    await env.call('teams.remove', { team: one.team }, { token: one.owner.token })
    env.clock.move(2000)
    await expect.poll(async () => (await env.call('folders.list', {}, { token: data.key })).code).toBe(401)
    env.clock.move(0)
  })

  it('refuses a member who was removed or got a lesser role, within a second', async () => {
    const one = await createSampleTeam(env)
    const create = (person: Person) =>
      env.call('folders.create', { name: 'Late' }, { token: person.token, team: one.team })
    expect((await create(one.editor)).code).toBe(0)
    await env.call('teams.setRole', { team: one.team, uid: one.editor.uid, role: 'viewer' }, { token: one.owner.token })
    env.clock.move(1000)
    await expect.poll(async () => (await create(one.editor)).err).toBe(errors.forbidden.err)
    await env.call('teams.removeMember', { team: one.team, uid: one.editor.uid }, { token: one.owner.token })
    env.clock.move(2000)
    await expect.poll(async () => (await create(one.editor)).err).toBe(errors.teamUnknown.err)
    env.clock.move(0)
  })

  it('is no account: nobody signs in to it, and its uid receives no money, orders or devices', async () => {
    const roles: TeamRole[] = ['owner']
    for (const role of roles)
      for (const { name, route } of personal)
        if (
          /^(orders|wallets|faucet|rewards|exchange|devices|earnings|clusters|chat|admin|secondFactors|passkeys)\./.test(
            name,
          )
        )
          expect([name, isTeamOperation(route, role)]).toEqual([name, false])
  })
})

const idOf = async (uid: string): Promise<number> =>
  (await env.db.one<{ id: number }>(sql`select id from users where uid = ${uid}`)).id
