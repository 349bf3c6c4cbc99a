import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RETRIED } from './db.ts'
import { atOnce } from './migrate.ts'

// An account of the version before, with 100,000 assets, is migrated while others read.

const FILES = 100_000
const name = `t_${randomBytes(8).toString('hex')}`
const folder = new URL('migrations/', import.meta.url)
let root: pg.Client
let client: pg.Client
let reader: pg.Client

async function run(from: number, to: number): Promise<void> {
  for (const file of readdirSync(folder).sort()) {
    const number = Number(file.slice(0, 4))
    if (number < from || number > to) continue
    const { up } = (await import(new URL(file, folder).href)) as { up: string }
    await atOnce(client, () => client.query(up))
  }
}
const one = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0]

beforeAll(async () => {
  const admin = process.env.TIDENET_TEST_DATABASE
  if (!admin) throw new Error('TIDENET_TEST_DATABASE is not set: run these tests with `npm run routes`')
  root = new pg.Client({ connectionString: admin })
  await root.connect()
  await root.query(`create database ${name} template template1`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  client = new pg.Client({ connectionString: url.href })
  reader = new pg.Client({ connectionString: url.href })
  await client.connect()
  await reader.connect()
  await run(1, 61)
  await client.query(`
    insert into users (uid, created_at) values ('u1', now()), ('u2', now());
    insert into contents (cid, hash, kind, size, blocks, created_at) select 'c' || i, '', 'file', 10, 1, now() from generate_series(1, ${FILES}) i;
    insert into folders (user_id, name, created_at) values (1, 'shared', now());
    alter table assets disable trigger user;
    insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at, share_status, receipt_id)
      select 1, 0, 'c' || i, 'file', 'f' || i, 10, now(), now() + interval '1 year', i % 2, i from generate_series(1, ${FILES}) i;
    alter table assets enable trigger user;
    update users set used_bytes = 10 * ${FILES}, asset_count = ${FILES} where id = 1;
    insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at)
      values (2, 0, 'c1', 'file', 'of another', 10, now(), now() + interval '1 year');
    insert into trash (user_id, kind, target, name, encrypted, folder_id, path, deleted_at, purge_at)
      select 2, 'file', 'c' || i, 'old', false, 0, '{}', now(), now() + interval '30 days' from generate_series(2, 1001) i;
    insert into trashed_assets (trash_id, user_id, folder_id, seq, cid, kind, name, size, encrypted, areas, share_status, downloads, created_at, expires_at)
      select id, 2, 0, 1, target, 'file', 'old', 10, false, '{}', 1, 3, now(), now() + interval '1 year' from trash;
    insert into links (id, user_id, target, kind, created_at, updated_at) values
      ('asset', 1, 'c3', 'file', now(), now()), ('trashed', 2, 'c2', 'file', now(), now()), ('folder', 1, '1', 'group', now(), now());
    insert into share_downloads (user_id, target, visitor, first_at) values (1, 'c3', 'today', now()), (1, 'c3', 'before', now() - interval '2 days');
    insert into reservations (user_id, cid, folder_id, kind, name, size, encrypted, areas, trace_id, created_at)
      values (1, 'c9', 0, 'file', 'coming', 10, false, '{}', 't', now());
    insert into accelerations (user_id, cid, started_at, check_at) values (1, 'c3', now(), now());
    analyze`)
}, 120_000)
afterAll(async () => {
  await client?.end()
  await reader?.end()
  await root?.query(`drop database if exists ${name} with (force)`)
  await root?.end()
})

describe('the migration to entries', () => {
  it('loses nothing, while the account is read', async () => {
    const rows = 'select md5(string_agg(a::text, chr(10) order by id)) as all, count(*)::int as count from assets a'
    const before = await one(rows)
    const file = await one(`select pg_relation_filenode('assets') as node`)
    const done = run(62, 62).then(() => true)
    let reads = 0
    const finished = () => Promise.race([done, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])
    while (!(await finished())) {
      const read = await reader.query('select count(*)::int as count from assets where user_id = 1 and folder_id = 0')
      expect(read.rows[0]).toEqual({ count: FILES })
      reads += 1
    }
    expect(reads).toBeGreaterThan(0)
    expect(await one(rows)).toEqual(before)
    // The table was not rewritten.
    expect(await one(`select pg_relation_filenode('assets') as node`)).toEqual(file)
  })

  it('gives everything in the trash an id that no asset has or will get', async () => {
    const trashed = await one(
      'select count(distinct asset_id)::int as ids, min(asset_id)::int as first from trashed_assets',
    )
    expect(trashed).toEqual({ ids: 1000, first: FILES + 2 })
    const { id } = await one(`
      insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at)
      values (2, 0, 'c5', 'file', 'new', 10, now(), now()) returning id::int`)
    expect(id).toBe(FILES + 1002)
  })

  it('ties links, counted downloads and reservations to entries', async () => {
    const { rows } = await client.query('select id, asset_id::int, target from links order by id')
    const trashed = await one(`select asset_id::int as id from trashed_assets where cid = 'c2'`)
    expect(rows).toEqual([
      { id: 'asset', asset_id: 3, target: 'c3' },
      { id: 'folder', asset_id: null, target: '1' },
      { id: 'trashed', asset_id: trashed.id, target: 'c2' },
    ])
    expect((await client.query('select target, visitor::text from share_downloads')).rows).toEqual([
      { target: 'asset:3', visitor: '\\x746f646179' },
    ])
    expect(await one('select cid, on_conflict from reservations')).toEqual({ cid: 'c9', on_conflict: null })
  })

  it('lets an account list a content twice, and delete both at once', async () => {
    await client.query(`
      insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at, receipt_id)
      values (1, 0, 'c7', 'file', 'again', 10, now(), now(), 7)`)
    const gone = await client.query(`delete from assets where user_id = 1 and cid = 'c7' returning id`)
    expect(gone.rowCount).toBe(2)
    expect(await one(`select count(*)::int as count from former_uploads where user_id = 1`)).toEqual({ count: 1 })
  })

  it('still lets servers of the version before fill the trash', async () => {
    await client.query(`
      insert into trashed_assets (trash_id, user_id, folder_id, seq, cid, kind, name, size, encrypted, areas, share_status, downloads, created_at, expires_at)
      select id, 2, 0, 1, 'c2000', 'file', 'old', 10, false, '{}', 0, 0, now(), now() from trash limit 1`)
    expect(await one(`select asset_id > ${FILES} as ok from trashed_assets where cid = 'c2000'`)).toEqual({ ok: true })
  })
})

describe('the migrations since then', () => {
  it('lose nothing either, while the account is read and written', async () => {
    const columns = 'id, user_id, folder_id, cid, kind, name, size, encrypted, created_at, expires_at, share_status'
    const state = async () =>
      one(`
        select (select md5(string_agg(a::text, chr(10) order by id)) from (select ${columns} from assets where name <> 'meanwhile') a) as assets,
          (select md5(string_agg(t::text, chr(10) order by id)) from (select id, user_id, kind, target, name from trash) t) as trash,
          (select md5(string_agg(l::text, chr(10) order by id)) from (select id, user_id, target, asset_id from links) l) as links`)
    const used = async () => (await one('select used_bytes::int as used from users where id = 2')).used as number
    const usedBefore = await used()
    const before = await state()
    const held = (await one('select count(*)::int as count from assets where user_id = 1')).count as number
    const done = run(63, Number.POSITIVE_INFINITY).then(() => true)
    let calls = 0
    const finished = () => Promise.race([done, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])
    while (!(await finished())) {
      const { rows } = await reader.query('select count(*)::int as count from assets where user_id = 1')
      expect(rows).toEqual([{ count: held }])
      try {
        await reader.query(`
          insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at)
          values (2, 0, 'c9', 'file', 'meanwhile', 10, now(), now() + interval '1 year')`)
      } catch (error) {
        // As a server does, which writes again.
        if (!RETRIED.has((error as pg.DatabaseError).code ?? '')) throw error
        continue
      }
      calls += 1
    }
    expect(calls).toBeGreaterThan(1)
    expect(await state()).toEqual(before)
    expect(await used()).toBe(usedBefore + 10 * calls)
    const { rows } = await client.query(`select 1 from assets where name = 'meanwhile'`)
    expect(rows).toHaveLength(calls)
  })
})
