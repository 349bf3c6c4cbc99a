import { randomBytes } from 'node:crypto'
import { contract, errors, FOLDER_SCOPE, type OperationName, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { openTrace } from '../../apps/server/src/storage/traces/service.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// Calls every operation with an API key that is limited to a folder, and with the IDs of items outside. New operations are included.

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

interface Operation {
  name: OperationName
  route: Route
}
const operations: Operation[] = Object.entries(contract).flatMap(([module, routes]) =>
  Object.entries(routes as Record<string, Route>)
    .filter(([, route]) => route.media !== 'text/event-stream')
    .map(([name, route]) => ({ name: `${module}.${name}` as OperationName, route })),
)
/** Operations that see who calls, with an API key. */
const guarded = operations.filter(({ route }) => !['public', 'node', 'gateway', 'console'].includes(route.auth))

const secret = () => `secret${randomBytes(6).toString('hex')}`

/** One item of each kind in a folder. */
async function createItems(person: Person, folder: number) {
  const names = {
    file: `${secret()}.txt`,
    folder: secret(),
    trash: `${secret()}.txt`,
    target: secret(),
    pass: 'Qz7xK2',
  }
  const file = await sampleFile(env.db, person.id, { nodes: [node], name: names.file, folder })
  const old = await sampleFile(env.db, person.id, { nodes: [node], name: names.trash, folder })
  const make = async (name: string) =>
    (await env.call('folders.create', { name, parent: folder }, person)).data.group.ID
  const [below, target] = [await make(names.folder), await make(names.target)]
  const link = (await env.call('shares.create', { cid: file.cid, short_pass: names.pass }, person)).data.id
  const trashed = (await env.call('trash.put', { assets: [old.cid] }, person)).data.trash_ids[0] as number
  const at = new Date(env.clock.now())
  const opened = {
    account: person.uid,
    userId: person.id,
    kind: 'upload',
    cid: file.cid,
    name: names.file,
    at,
  } as const
  const trace = await openTrace(env.db, opened)
  return { names, cid: file.cid, id: file.id, folder: below, target, link, trashed, trace }
}
type Items = Awaited<ReturnType<typeof createItems>>

async function createFixtures() {
  const person = await env.person({ vip: true })
  const names = { outside: secret(), above: secret(), inside: secret() }
  const make = async (name: string, parent = 0) =>
    (await env.call('folders.create', { name, parent }, person)).data.group.ID
  const outsideFolder = await make(names.outside)
  const above = await make(names.above)
  const root = await make(names.inside, above)
  const outside = await createItems(person, outsideFolder)
  const inside = await createItems(person, root)
  const apikey = await env.key(person, 'admin', [root])
  return { person, names, root, outsideFolder, above, outside, inside, apikey }
}
type Fixtures = Awaited<ReturnType<typeof createFixtures>>

/** A value of the field that names an item, or undefined if the field names nothing. */
function named(field: string, items: Items, person: Person, turn: number): unknown {
  const { cid, folder, target } = items
  const id = [items.link, items.trashed, folder, items.id][turn % 4]
  const values: Record<string, unknown> = {
    ...Object.fromEntries(['cid', 'cId', 'hash', 'root_cid'].map((each) => [each, turn % 2 ? String(folder) : cid])),
    ...(turn < 2 ? { asset_cid: cid } : {}),
    id,
    ids: [items.trashed],
    assets: [cid],
    folders: [folder],
    asset_id: items.id,
    asset_ids: [items.id],
    ...Object.fromEntries(['group_id', 'groupid', 'group', 'folder', 'folder_id'].map((each) => [each, folder])),
    ...Object.fromEntries(['parent', 'target', 'target_group_id', 'to'].map((each) => [each, target])),
    trace_id: items.trace,
    traceid: items.trace,
    ...Object.fromEntries(['user_id', 'username', 'uid'].map((each) => [each, person.uid])),
  }
  return values[field]
}

const others = (): Record<string, unknown> => ({
  name: `n${randomBytes(4).toString('hex')}`,
  new_name: `n${randomBytes(4).toString('hex')}.txt`,
  key_name: 'k',
  names: ['a'],
  q: 'secret',
  status: 1,
  state: 1,
  expire_time: 0,
  expire_at: 0,
  size: 20,
  asset_name: 'a.txt',
  asset_type: 'file',
  asset_size: 20,
  transfer_type: 'upload',
  page: 1,
  page_size: 100,
  node_id: node.id,
  error: 'x',
  sha256: '0'.repeat(64),
  reason: 'x',
})

/** @param side whose item a field names */
function inputFor({ route }: Operation, f: Fixtures, turn: number, side: (field: string) => 'inside' | 'outside') {
  const shape = (route.input as z.ZodObject).shape ?? {}
  const rest = others()
  return Object.fromEntries(
    Object.keys(shape)
      .map((field) => [field, named(field, f[side(field)], f.person, turn) ?? rest[field]] as const)
      .filter(([, value]) => value !== undefined),
  )
}

let places = 0
async function call({ route }: Operation, headers: Record<string, string>, input: Record<string, unknown>) {
  places += 1
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [key, String(each)]),
    ),
  )
  const path = route.path.replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(input[field] ?? '-')))
  const answer = await env.app.inject({
    method: route.method,
    url: route.method === 'GET' ? `${path}?${query}` : path,
    headers,
    remoteAddress: `10.${places >> 16}.${(places >> 8) & 255}.${places & 255}`,
    ...(route.method === 'POST' && { payload: input }),
  })
  const json = answer.headers['content-type']?.toString().includes('application/json')
  return { text: answer.body, ...(json ? answer.json<{ code?: number; err?: number }>() : {}) }
}

/** Everything of the account that is outside the folder. Transfers and the last use of keys are no items. */
async function outsideState({ person, root }: Fixtures): Promise<string> {
  const scope = sql`(with recursive s as (select id from folders where id = ${root}
    union select f.id from s join folders f on f.parent_id = s.id) select id from s)`
  const state = await env.db.one(sql`select
    (select json_agg(a order by a.id)::text from assets a where a.user_id = ${person.id} and a.folder_id not in ${scope}) as assets,
    (select json_agg(f order by f.id)::text from folders f
      where f.user_id = ${person.id} and (f.id = ${root} or f.parent_id not in ${scope})) as folders,
    (select json_agg(t order by t.id)::text from trash t where t.user_id = ${person.id} and t.folder_id not in ${scope}
      and t.folder_id not in (select id from trashed_folders)) as trash,
    (select json_agg(r)::text from reservations r where r.user_id = ${person.id}) as reservations`)
  const rows: Record<string, unknown> = { state }
  const tables = await env.db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id' order by 1`)
  const changing = [
    'assets',
    'folders',
    'trash',
    'reservations',
    'trashed_assets',
    'trashed_folders',
    'links',
    'api_keys',
    'traces',
  ]
  const ofFolders = [
    'folder_totals',
    'folder_runs',
    'upload_grants',
    'proofs',
    'usage_hours',
    'stored_hours',
    'webhook_deliveries',
  ]
  for (const { name } of tables.filter((table) => ![...changing, ...ofFolders].includes(table.name)))
    rows[name] = (
      await env.db.pool.query(`select t::text as row from ${name} t where user_id = $1 order by 1`, [person.id])
    ).rows
  rows.links = await env.db.rows(sql`select l::text from links l where l.user_id = ${person.id}
    and not exists (select 1 from assets a where a.user_id = l.user_id and a.cid = l.target and a.folder_id in ${scope})
    and not (l.kind = 'group' and l.target in (select id::text from folders where id in ${scope}))
    and l.target in (select cid from assets where user_id = ${person.id}) order by l.id`)
  return JSON.stringify(rows, null, 1)
}

describe('an API key that is limited to a folder', () => {
  it('neither sees nor changes anything outside, by any operation and any mix of IDs', async () => {
    let f = await createFixtures()
    const leaks: string[] = []
    for (const operation of guarded) {
      const declared = FOLDER_SCOPE[operation.name] !== undefined
      const fields = Object.keys((operation.route.input as z.ZodObject).shape ?? {})
      const naming = fields.filter((field) => named(field, f.outside, f.person, 0) !== undefined)
      for (const turn of declared ? [0, 1, 2, 3] : [0]) {
        const before = declared ? await outsideState(f) : ''
        // All fields outside; and each alone, with the others inside.
        for (const alone of declared ? [undefined, ...naming] : [undefined]) {
          const side = (field: string) => (alone === undefined || field === alone ? 'outside' : 'inside')
          const input = inputFor(operation, f, turn, side)
          const { text } = await call(operation, { apikey: f.apikey }, input)
          const { outside, names } = f
          const hidden = [...Object.values(outside.names), names.outside, names.above, outside.cid, outside.link]
          const sent = JSON.stringify(input)
          for (const each of hidden)
            if (text.includes(each) && !sent.includes(each)) leaks.push(`${operation.name} ${sent}: ${each}`)
        }
        if (declared && (await outsideState(f)) !== before) leaks.push(`${operation.name}, turn ${turn}: changed`)
      }
      // Calls inside may have changed or removed the items that the next operation is called with.
      if (declared && operation.route.method === 'POST') f = await createFixtures()
    }
    expect(leaks).toEqual([])
  })

  it('is refused by every operation that does not say how it respects folders', async () => {
    const f = await createFixtures()
    const wrong: string[] = []
    for (const operation of guarded.filter(({ name }) => !FOLDER_SCOPE[name])) {
      const { code, err } = await call(
        operation,
        { apikey: f.apikey },
        inputFor(operation, f, 0, () => 'inside'),
      )
      if (code !== -1 || err !== errors.forbidden.err) wrong.push(`${operation.name}: ${code} ${err}`)
    }
    expect(wrong).toEqual([])
  })

  it('works with what is inside, by every operation that says so', async () => {
    const done = new Set<string>()
    const declared = guarded.filter(({ name }) => FOLDER_SCOPE[name] && FOLDER_SCOPE[name] !== 'visitor')
    for (const turn of [0, 1, 2, 3])
      for (const operation of declared.filter(({ name }) => !done.has(name))) {
        const f = await createFixtures()
        const input = inputFor(operation, f, turn, () => 'inside')
        // A file or a folder, but not both; a link that exists is created once; an upload needs a receipt. Tools have names.
        if (operation.name === 'folders.rename') delete input[turn % 2 ? 'group_id' : 'asset_cid']
        if (operation.name === 'uploads.cancel') delete input.asset_cid
        if (operation.name === 'agents.record') input.tool = 'usage'
        if (operation.name === 'shares.create') input.cid = String(f.inside.folder)
        if (operation.name === 'publications.remove')
          await env.call('publications.create', { cid: f.inside.cid, asset_id: f.inside.id }, f.person)
        if (operation.name === 'assets.create') {
          const { cid } = await sampleFile(env.db, (await env.person()).id)
          input.asset_cid = cid
          input.receipt = await node.receipt({ sub: f.person.uid, cid, size: 20 })
        }
        if ((await call(operation, { apikey: f.apikey }, input)).code === 0) done.add(operation.name)
      }
    // These need a proof request, a replica that can be checked, a vault, or sizes of files.
    const exempt = ['uploads.prove', 'assets.challenge', 'folders.encrypt', 'folderUploads.info']
    // Buckets are named, not numbered, and imports have sources outside: tests of their routes have keys of folders.
    const isElsewhere = (name: string) => /^(s3|s3Uploads|imports)\./.test(name)
    const expected = declared.map(({ name }) => name).filter((name) => !exempt.includes(name) && !isElsewhere(name))
    expect(expected.filter((name) => !done.has(name))).toEqual([])
  })
})
