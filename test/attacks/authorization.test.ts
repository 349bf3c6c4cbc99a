import { randomBytes } from 'node:crypto'
import { type Auth, contract, errors, type Role, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { openSession } from '../../apps/server/src/identity/sessions/tokens.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { openTrace } from '../../apps/server/src/storage/traces/service.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// Every operation of the contract, called by everybody who may not, and with what belongs to somebody else. Nothing here names an
// operation that has to be remembered: a new one is attacked as soon as it is in the contract.

let world: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  world = await setup()
  node = await world.node()
})
afterAll(() => world.close())

interface Operation {
  name: string
  route: Route
}
const operations: Operation[] = Object.entries(contract).flatMap(([duty, routes]) =>
  Object.entries(routes as Record<string, Route>)
    // A stream of events has no end to wait for.
    .filter(([, route]) => route.media !== 'text/event-stream')
    .map(([name, route]) => ({ name: `${duty}.${name}`, route })),
)

let places = 0
async function call({ route }: Operation, headers: Record<string, string>, input: Record<string, unknown> = {}) {
  places += 1
  const fields = { ...input }
  const path = route.path.replace(/:(\w+)/g, (_, field: string) => {
    const value = encodeURIComponent(String(fields[field] ?? '-'))
    delete fields[field]
    return value
  })
  const query = new URLSearchParams(
    Object.entries(fields).flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [key, String(each)]),
    ),
  )
  const answer = await world.app.inject({
    method: route.method,
    url: route.method === 'GET' ? `${path}?${query}` : path,
    headers,
    remoteAddress: `10.${places >> 16}.${(places >> 8) & 255}.${places & 255}`,
    ...(route.method === 'POST' && { payload: fields }),
  })
  const json = answer.headers['content-type']?.toString().includes('application/json')
  return {
    status: answer.statusCode,
    text: answer.body,
    ...(json ? answer.json<{ code?: number; err?: number }>() : {}),
  }
}

type Verdict = 'let in' | 'forbidden' | 'not signed in'
const verdict = ({ code, err }: { code?: number; err?: number }): Verdict =>
  code === 401 ? 'not signed in' : err === errors.forbidden.err ? 'forbidden' : 'let in'

/** A session of its own for each call: some calls end the one they come with. */
const sessionOf = async (person: Person) => {
  const { token } = await openSession(world.context, world.db, person, { ip: '127.0.0.1', agent: 'test' })
  return { jwtauthorization: `Bearer ${token}`, authorization: `Bearer ${token}` }
}

/** Refuses by what they do not admit; signing in refuses with the same envelope whoever asks. */
const guarded = operations.filter(({ route }) => route.auth !== 'public' && !route.refuses401)

async function differing(headers: () => Promise<Record<string, string>>, expected: (auth: Auth) => Verdict) {
  const wrong: string[] = []
  for (const operation of guarded) {
    const got = verdict(await call(operation, await headers()))
    const { auth } = operation.route
    if (got !== expected(auth)) wrong.push(`${operation.name} (${auth}): ${got}`)
  }
  return wrong
}

const nobody = (auth: Auth): Verdict => (auth === 'optional' ? 'let in' : 'not signed in')
/** Nodes, and who entered the container console, come with something of their own. */
const isApart = (auth: Auth) => auth === 'node' || auth === 'console'
const somebody = (auth: Auth): Verdict =>
  isApart(auth) ? 'not signed in' : auth === 'operator' ? 'forbidden' : 'let in'

describe('every operation lets in whom its contract admits, and nobody else:', () => {
  const roles: [string, { role?: Role; vip?: boolean }, (auth: Auth) => Verdict][] = [
    ['a user', {}, somebody],
    ['a VIP', { vip: true }, somebody],
    ['a test user', { role: 'test' }, somebody],
    ['an enterprise', { role: 'enterprise', vip: true }, somebody],
    ['an operator', { role: 'operator' }, (auth) => (isApart(auth) ? 'not signed in' : 'let in')],
  ]
  it.each(roles)('%s', async (_, more, expected) => {
    const person = await world.person(more)
    expect(await differing(() => sessionOf(person), expected)).toEqual([])
  })

  it('no key of an operator, whatever it may do, is an operator', async () => {
    const apikey = await world.key(await world.person({ role: 'operator' }), 'admin')
    const expected = (auth: Auth): Verdict =>
      isApart(auth) ? 'not signed in' : auth === 'operator' || auth === 'session' ? 'forbidden' : 'let in'
    expect(await differing(async () => ({ apikey }), expected)).toEqual([])
  })

  it('not nobody, in whatever words', async () => {
    const empty: Record<string, string>[] = [
      {},
      { jwtauthorization: 'Bearer token' },
      { jwtauthorization: 'Bearer null', apikey: 'undefined' },
      { cookie: 'token=1; login-token=x' },
    ]
    for (const headers of empty) expect(await differing(async () => headers, nobody)).toEqual([])
  })

  it('not who has left, who was sent away, who is locked, nor their keys', async () => {
    const [gone, locked] = [await world.person(), await world.person({ role: 'operator' })]
    const at = new Date(world.clock.now())
    const key = await world.key(locked, 'admin')
    await world.db.run(sql`update sessions set revoked_at = ${at} where user_id = ${gone.id}`)
    await world.db.run(sql`update users set locked_at = ${at} where id = ${locked.id}`)
    const sent = (token: string) => async () => ({ jwtauthorization: `Bearer ${token}` })
    expect(await differing(sent(gone.token), nobody)).toEqual([])
    expect(await differing(sent(locked.token), nobody)).toEqual([])
    expect(await differing(async () => ({ apikey: key }), nobody)).toEqual([])
  })

  it('not a node where a person is asked for', async () => {
    const headers = { jwtauthorization: `Bearer ${node.token}`, apikey: node.token }
    expect(await differing(async () => headers, nobody)).toEqual([])
  })
})

/** An account with one of everything; each name in it is a secret. */
async function household() {
  const person = await world.person()
  const secret = () => `secret${randomBytes(6).toString('hex')}`
  const names = { file: `${secret()}.txt`, folder: secret(), key: secret(), trash: `${secret()}.txt`, pass: 'Qz7xK2' }
  const file = await sampleFile(world.db, person.id, { nodes: [node], name: names.file })
  const old = await sampleFile(world.db, person.id, { nodes: [node], name: names.trash })
  const folder = (await world.call('folders.create', { name: names.folder }, person)).data.group.ID
  await world.call('apiKeys.create', { key_name: names.key }, person)
  const link = (await world.call('shares.create', { cid: file.cid, short_pass: names.pass }, person)).data.id
  await world.call('shares.setStatus', { cid: file.cid, status: 0 }, person)
  const trashed = (await world.call('trash.put', { assets: [old.cid] }, person)).data.trash_ids[0] as number
  const at = new Date(world.clock.now())
  const trace = await openTrace(world.db, {
    account: person.uid,
    kind: 'upload',
    cid: file.cid,
    name: names.file,
    at,
    userId: person.id,
  } as never)
  const session = await world.db.one<{ id: string }>(sql`select id from sessions where user_id = ${person.id} limit 1`)
  return { person, names, cid: file.cid, folder, link, trashed, trace, session: session.id }
}
type Household = Awaited<ReturnType<typeof household>>

/** What fields of the contract name things by, filled with what belongs to a household. `turn` changes what an `id` is taken for. */
function inputFor({ route }: Operation, home: Household, turn: number): Record<string, unknown> {
  const { cid, folder, person } = home
  const id = [home.link, home.trashed, folder, home.session][turn % 4]
  const known: Record<string, unknown> = {
    ...Object.fromEntries(['cid', 'cId', 'hash', 'root_cid'].map((field) => [field, turn % 2 ? String(folder) : cid])),
    // Some take a file or a folder, but not both.
    ...(turn < 2 && { asset_cid: cid }),
    id,
    ids: [home.trashed],
    session: home.session,
    session_id: home.session,
    assets: [cid],
    folders: [folder],
    ...Object.fromEntries(['user_id', 'username', 'uid', 'UserID', 'account'].map((field) => [field, person.uid])),
    ...Object.fromEntries(
      ['group_id', 'groupid', 'group', 'folder', 'folder_id', 'parent', 'target', 'target_group_id', 'to'].map(
        (field) => [field, folder],
      ),
    ),
    key_name: home.names.key,
    trace_id: home.trace,
    traceid: home.trace,
    name: `n${randomBytes(4).toString('hex')}`,
    new_name: `n${randomBytes(4).toString('hex')}.txt`,
    names: [home.names.file, home.names.folder],
    q: 'secret',
    status: 1,
    state: 1,
    expire_time: 0,
    expire_at: 0,
    size: 20,
    page: 1,
    page_size: 100,
    role: 'operator',
    vip: true,
    reason: 'x',
    node_id: node.id,
  }
  const shape = (route.input as z.ZodObject).shape ?? {}
  return Object.fromEntries(
    Object.keys(shape)
      .filter((field) => known[field] !== undefined)
      .map((field) => [field, known[field]]),
  )
}

/** Everything that the database holds of an account, wherever a row names it. */
async function stateOf(person: Person): Promise<string> {
  const tables = await world.db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id' order by 1`)
  const state: Record<string, unknown> = {
    users: await world.db.one(sql`select * from users where id = ${person.id}`),
  }
  for (const { name } of tables) {
    const { rows } = await world.db.pool.query(`select t::text as row from ${name} t where user_id = $1 order by 1`, [
      person.id,
    ])
    state[name] = rows.map(({ row }) => row)
  }
  return JSON.stringify(state, null, 1)
}

describe('what belongs to somebody', () => {
  const TURNS = [0, 1, 2, 3]

  it('is neither changed nor told by any operation that a stranger calls with its names', async () => {
    const home = await household()
    // The name of a key may be anybody's; strangers are given it and keep it.
    const { key: _, ...names } = home.names
    const secrets = [...Object.values(names), home.person.email]
    const before = await stateOf(home.person)
    const [stranger, vip] = [await world.person(), await world.person({ vip: true })]
    const apikey = await world.key(vip, 'admin')
    const told: string[] = []
    for (const operation of operations)
      for (const turn of TURNS) {
        const input = inputFor(operation, home, turn)
        const callers = [await sessionOf(stranger), { apikey }, {}] as Record<string, string>[]
        for (const [index, headers] of callers.entries()) {
          const { text } = await call(operation, headers, input)
          // What a caller has sent may come back; nothing else may.
          const given = JSON.stringify(input)
          const leaked = secrets.filter((secret) => text.includes(secret) && !given.includes(secret))
          if (leaked.length > 0) told.push(`${operation.name}, caller ${index}: ${leaked.join(' ')}`)
        }
      }
    expect(told).toEqual([])
    expect(await stateOf(home.person)).toBe(before)
  })

  it('is there for its owner by the same calls: the names are the right ones', async () => {
    const done = new Set<string>()
    const own = operations.filter(({ route }) => !['public', 'node', 'operator'].includes(route.auth))
    let home = await household()
    for (const turn of TURNS)
      for (const operation of own.filter(({ name }) => !done.has(name))) {
        const { code } = await call(operation, await sessionOf(home.person), inputFor(operation, home, turn))
        if (code !== 0) continue
        done.add(operation.name)
        // What was done may have changed what the next one names.
        if (operation.route.method === 'POST') home = await household()
      }
    for (const name of [
      'assets.remove',
      'assets.rename',
      'assets.move',
      'folders.rename',
      'folders.remove',
      'folders.item',
      'shares.info',
      'shares.update',
      'shares.revoke',
      'shares.setStatus',
      'trash.restore',
      'trash.remove',
      'apiKeys.remove',
      'apiKeys.permissions',
    ])
      expect(done).toContain(name)
    expect(done.size).toBeGreaterThan(35)
  })
})
