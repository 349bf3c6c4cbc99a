import { contract, errors, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { openSession } from '../../apps/server/src/identity/sessions/tokens.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// Every operation that names an entry by CID and id is called with ids that do not belong together. New operations are included automatically.

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const shapeOf = (route: Route): Record<string, unknown> => (route.input as z.ZodObject).shape ?? {}
const operations = Object.entries(contract).flatMap(([module, routes]) =>
  Object.entries(routes as Record<string, Route>).map(([name, route]) => ({ name: `${module}.${name}`, route })),
)
const named = operations.filter(({ route }) => 'asset_id' in shapeOf(route))

/** Fields by which operations name a content of an account. */
const CONTENT = ['cid', 'asset_cid', 'assets']
/** They name contents, links or announced uploads, but no entry. */
const NO_ENTRY = [
  // Lists what is being uploaded or was anonymous.
  'assets.create',
  'uploads.prove',
  'uploads.cancel',
  'uploadLinks.add',
  's3Uploads.putPart',
  // A filter of a listing.
  'folders.contents',
  // Of a content, whichever entry it is in.
  'abuse.object',
  'thumbnails.keep',
  // A link names its entry.
  'shares.target',
  'shares.follow',
  // Named by `asset_ids`.
  'trash.put',
  'folders.moveMany',
  'folders.manifest',
]

async function call(route: Route, person: Person, input: Record<string, unknown>) {
  const { token } = await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [key, String(each)]),
    ),
  )
  const answer = await env.app.inject({
    method: route.method,
    url: route.method === 'GET' ? `${route.path}?${query}` : route.path,
    headers: { jwtauthorization: `Bearer ${token}` },
    ...(route.method === 'POST' && { payload: input }),
  })
  return answer.json<{ code: number; err?: number; data?: unknown }>()
}

/** Everything that the account has. */
const stateOf = (person: Person) =>
  Promise.all(
    ['assets', 'trash', 'links', 'accelerations', 'reservations'].map((table) =>
      env.db.pool.query(`select t::text from ${table} t where user_id = $1 order by 1`, [person.id]),
    ),
  ).then((results) => results.map(({ rows }) => rows))

describe('an entry that is named by CID and id', () => {
  it('is accepted by every operation that names a content of an account', () => {
    const missing = operations.filter(
      ({ name, route }) =>
        CONTENT.some((field) => field in shapeOf(route)) &&
        !('asset_id' in shapeOf(route)) &&
        !NO_ENTRY.includes(name) &&
        !/^(tempFiles|explorer|nodeControl|admin|traces|imports)\./.test(name),
    )
    expect(missing.map(({ name }) => name)).toEqual([])
    expect(named.length).toBeGreaterThan(18)
  })

  it('is refused if the id is of another account, of another content, or of nothing, and nothing changes', async () => {
    const [owner, other] = [await env.person({ vip: true }), await env.person()]
    const mine = await sampleFile(env.db, owner.id, { nodes: [node], size: 20 })
    const beside = await sampleFile(env.db, owner.id, { nodes: [node], size: 30 })
    const theirs = await sampleFile(env.db, other.id, { nodes: [node] })
    // The same content in another account.
    const same = await sampleFile(env.db, other.id, {})
    await env.db.run(sql`update assets set cid = ${mine.cid} where id = ${same.id}`)
    await env.call('shares.setStatus', { cid: mine.cid, status: 1 }, owner)
    await env.call('shares.create', { cid: mine.cid }, owner)
    const before = await stateOf(owner)
    const target = (await env.call('folders.create', { name: 'target' }, owner)).data.group.ID
    const accepted: string[] = []
    for (const { name, route } of named)
      for (const id of [theirs.id, same.id, beside.id, 2_000_000_000]) {
        const shape = shapeOf(route)
        const known: Record<string, unknown> = {
          cid: mine.cid,
          asset_cid: mine.cid,
          asset_id: id,
          new_name: 'stolen.txt',
          user_id: owner.uid,
          username: owner.uid,
          status: 0,
          on: true,
          node_id: node.id,
          ...(name === 'assets.move' && { group_id: target }),
        }
        const input = Object.fromEntries(Object.entries(known).filter(([field]) => field in shape))
        const { code, err, data } = await call(route, owner, input)
        const refused = code === -1 && (err === errors.assetUnknown.err || err === errors.notFound.err)
        // They answer with nothing about items that the caller may not see.
        const empty =
          JSON.stringify(data ?? null).includes('"IsExist":false') || JSON.stringify(data ?? null).includes('"list":[]')
        if (!refused && !empty) accepted.push(`${name} ${code} ${err}`)
      }
    expect(accepted).toEqual([])
    expect(await stateOf(owner)).toEqual(before)
  })

  it('is left alone by calls for many that name it with an id of another account', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { id, cid } = await sampleFile(env.db, owner.id, {})
    const before = await stateOf(owner)
    const refused = [{ id: String(id), asset_id: id, ok: false, err: errors.assetUnknown.err }]
    expect((await env.call('trash.put', { asset_ids: [id] }, other)).data.results).toMatchObject(refused)
    expect((await env.call('folders.moveMany', { asset_ids: [id], target: 0 }, other)).data.results).toMatchObject(
      refused,
    )
    expect((await env.call('folders.manifest', { asset_ids: [id], assets: [cid] }, other)).data.list).toEqual([])
    expect(await stateOf(owner)).toEqual(before)
  })

  it('cannot be deleted, moved or read in bulk with a key that lacks the permission', async () => {
    const person = await env.person()
    const { id } = await sampleFile(env.db, person.id, {})
    const apikey = await env.key(person, ['readFolder'])
    const forbidden = { code: -1, err: errors.forbidden.err }
    expect(await env.call('trash.put', { asset_ids: [id] }, { token: apikey })).toMatchObject(forbidden)
    expect(await env.call('folders.moveMany', { asset_ids: [id], target: 0 }, { token: apikey })).toMatchObject(
      forbidden,
    )
  })
})
