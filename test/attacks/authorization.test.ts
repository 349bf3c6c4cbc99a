import { randomBytes } from 'node:crypto'
import { type Auth, contract, errors, type Role, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { openSession } from '../../apps/server/src/identity/sessions/tokens.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { openTrace } from '../../apps/server/src/storage/traces/service.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// Calls every operation of the contract without permission, and with the IDs of another account. New operations are included automatically.

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

interface Operation {
  name: string
  route: Route
}
const operations: Operation[] = Object.entries(contract).flatMap(([module, routes]) =>
  Object.entries(routes as Record<string, Route>)
    // An event stream does not end.
    .filter(([, route]) => route.media !== 'text/event-stream')
    .map(([name, route]) => ({ name: `${module}.${name}`, route })),
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
  const answer = await env.app.inject({
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

/** A new session for each call, because some calls end their session. */
const sessionOf = async (person: Person) => {
  const { token } = await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })
  return { jwtauthorization: `Bearer ${token}`, authorization: `Bearer ${token}` }
}

/** Sign-in is not included: it answers 401 to everyone. */
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

const anonymous = (auth: Auth): Verdict => (auth === 'optional' ? 'let in' : 'not signed in')
/** Nodes, S3 gateways and the container console have their own credentials. */
const hasOwnCredential = (auth: Auth) => auth === 'node' || auth === 'gateway' || auth === 'console'
const signedIn = (auth: Auth): Verdict =>
  hasOwnCredential(auth) ? 'not signed in' : auth === 'operator' || auth === 'agent' ? 'forbidden' : 'let in'

describe('every operation admits exactly the callers that its contract names:', () => {
  const roles: [string, { role?: Role; vip?: boolean }, (auth: Auth) => Verdict][] = [
    ['a user', {}, signedIn],
    ['a VIP', { vip: true }, signedIn],
    ['a test user', { role: 'test' }, signedIn],
    ['an enterprise', { role: 'enterprise', vip: true }, signedIn],
    ['an agent', { role: 'agent' }, (auth) => (auth === 'agent' ? 'let in' : signedIn(auth))],
    ['an operator', { role: 'operator' }, (auth) => (hasOwnCredential(auth) ? 'not signed in' : 'let in')],
  ]
  it.each(roles)('%s', async (_, more, expected) => {
    const person = await env.person(more)
    expect(await differing(() => sessionOf(person), expected)).toEqual([])
  })

  it.each(['agent', 'operator'] as const)('an API key of an %s is not one', async (role) => {
    const apikey = await env.key(await env.person({ role }), 'admin')
    const expected = (auth: Auth): Verdict => (auth === 'session' ? 'forbidden' : signedIn(auth))
    expect(await differing(async () => ({ apikey }), expected)).toEqual([])
  })

  it('no caller without a valid credential', async () => {
    const invalid: Record<string, string>[] = [
      {},
      { jwtauthorization: 'Bearer token' },
      { jwtauthorization: 'Bearer null', apikey: 'undefined' },
      { cookie: 'token=1; login-token=x' },
    ]
    for (const headers of invalid) expect(await differing(async () => headers, anonymous)).toEqual([])
  })

  it('no revoked session, locked account or its API keys', async () => {
    const [revoked, locked] = [await env.person(), await env.person({ role: 'operator' })]
    const at = new Date(env.clock.now())
    const key = await env.key(locked, 'admin')
    await env.db.run(sql`update sessions set revoked_at = ${at} where user_id = ${revoked.id}`)
    await env.db.run(sql`update users set locked_at = ${at} where id = ${locked.id}`)
    const sent = (token: string) => async () => ({ jwtauthorization: `Bearer ${token}` })
    expect(await differing(sent(revoked.token), anonymous)).toEqual([])
    expect(await differing(sent(locked.token), anonymous)).toEqual([])
    expect(await differing(async () => ({ apikey: key }), anonymous)).toEqual([])
  })

  it('no node in place of a person', async () => {
    const headers = { jwtauthorization: `Bearer ${node.token}`, apikey: node.token }
    expect(await differing(async () => headers, anonymous)).toEqual([])
  })
})

/** An account with one item of every kind, each with a secret name. */
async function createFixtures() {
  const person = await env.person()
  const secret = () => `secret${randomBytes(6).toString('hex')}`
  const names = {
    file: `${secret()}.txt`,
    folder: secret(),
    key: secret(),
    trash: `${secret()}.txt`,
    pass: 'Qz7xK2',
    note: secret(),
  }
  const file = await sampleFile(env.db, person.id, { nodes: [node], name: names.file })
  const old = await sampleFile(env.db, person.id, { nodes: [node], name: names.trash })
  const folder = (await env.call('folders.create', { name: names.folder }, person)).data.group.ID
  await env.call('apiKeys.create', { key_name: names.key }, person)
  const link = (await env.call('shares.create', { cid: file.cid, short_pass: names.pass }, person)).data.id
  await env.call('shares.setStatus', { cid: file.cid, status: 0 }, person)
  const short = (await env.call('shortLinks.create', { cid: file.cid, note: names.note }, person)).data.id
  const trashed = (await env.call('trash.put', { assets: [old.cid] }, person)).data.trash_ids[0] as number
  const at = new Date(env.clock.now())
  const trace = await openTrace(env.db, {
    account: person.uid,
    kind: 'upload',
    cid: file.cid,
    name: names.file,
    at,
    userId: person.id,
  } as never)
  const session = await env.db.one<{ id: string }>(sql`select id from sessions where user_id = ${person.id} limit 1`)
  return { person, names, cid: file.cid, assetId: file.id, folder, link, short, trashed, trace, session: session.id }
}
type Fixtures = Awaited<ReturnType<typeof createFixtures>>

/** Input fields filled with IDs of the fixtures. `turn` selects which kind of ID fills `id`. */
function inputFor({ route }: Operation, fixtures: Fixtures, turn: number): Record<string, unknown> {
  const { cid, folder, person } = fixtures
  const id = [fixtures.link, fixtures.trashed, folder, fixtures.session, fixtures.short][turn % 5]
  const known: Record<string, unknown> = {
    ...Object.fromEntries(['cid', 'cId', 'hash', 'root_cid'].map((field) => [field, turn % 2 ? String(folder) : cid])),
    // Some operations accept a file or a folder, but not both.
    ...(turn < 2 && { asset_cid: cid }),
    id,
    ids: [fixtures.trashed],
    session: fixtures.session,
    session_id: fixtures.session,
    assets: [cid],
    ...(turn === 1 && { asset_id: fixtures.assetId, asset_ids: [fixtures.assetId] }),
    folders: [folder],
    ...Object.fromEntries(['user_id', 'username', 'uid', 'UserID', 'account'].map((field) => [field, person.uid])),
    ...Object.fromEntries(
      ['group_id', 'groupid', 'group', 'folder', 'folder_id', 'parent', 'target', 'target_group_id', 'to'].map(
        (field) => [field, folder],
      ),
    ),
    key_name: fixtures.names.key,
    trace_id: fixtures.trace,
    traceid: fixtures.trace,
    name: `n${randomBytes(4).toString('hex')}`,
    new_name: `n${randomBytes(4).toString('hex')}.txt`,
    names: [fixtures.names.file, fixtures.names.folder],
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

/** All rows of an account in the database. */
async function stateOf(person: Person): Promise<string> {
  const tables = await env.db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id' order by 1`)
  const state: Record<string, unknown> = {
    users: await env.db.one(sql`select * from users where id = ${person.id}`),
  }
  for (const { name } of tables) {
    const { rows } = await env.db.pool.query(`select t::text as row from ${name} t where user_id = $1 order by 1`, [
      person.id,
    ])
    state[name] = rows.map(({ row }) => row)
  }
  return JSON.stringify(state, null, 1)
}

describe('data of an account', () => {
  const TURNS = [0, 1, 2, 3, 4]

  it('is neither changed nor returned by any operation that a stranger calls with its IDs', async () => {
    const fixtures = await createFixtures()
    // Key names are not unique across accounts: a stranger may create a key with the same name.
    const { key: _, ...names } = fixtures.names
    const secrets = [...Object.values(names), fixtures.person.email]
    const before = await stateOf(fixtures.person)
    const [stranger, vip] = [await env.person(), await env.person({ vip: true })]
    const apikey = await env.key(vip, 'admin')
    const leaks: string[] = []
    for (const operation of operations)
      for (const turn of TURNS) {
        const input = inputFor(operation, fixtures, turn)
        const callers = [await sessionOf(stranger), { apikey }, {}] as Record<string, string>[]
        for (const [index, headers] of callers.entries()) {
          const { text } = await call(operation, headers, input)
          // Input may be echoed.
          const sent = JSON.stringify(input)
          const leaked = secrets.filter((secret) => text.includes(secret) && !sent.includes(secret))
          if (leaked.length > 0) leaks.push(`${operation.name}, caller ${index}: ${leaked.join(' ')}`)
        }
      }
    expect(leaks).toEqual([])
    expect(await stateOf(fixtures.person)).toBe(before)
  })

  it('is available to its owner by the same calls, so the IDs above are valid', async () => {
    const done = new Set<string>()
    const own = operations.filter(
      ({ route }) => !['public', 'node', 'gateway', 'agent', 'operator'].includes(route.auth),
    )
    let fixtures = await createFixtures()
    for (const turn of TURNS)
      for (const operation of own.filter(({ name }) => !done.has(name))) {
        const { code } = await call(operation, await sessionOf(fixtures.person), inputFor(operation, fixtures, turn))
        if (code !== 0) continue
        done.add(operation.name)
        // Recreate the fixtures after a change.
        if (operation.route.method === 'POST') fixtures = await createFixtures()
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
      'shortLinks.create',
      'shortLinks.update',
      'shortLinks.revoke',
      'shortLinks.restore',
      'trash.restore',
      'trash.remove',
      'apiKeys.remove',
      'apiKeys.restore',
      'apiKeys.permissions',
    ])
      expect(done).toContain(name)
    expect(done.size).toBeGreaterThan(35)
  })
})
