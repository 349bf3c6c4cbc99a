import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { eraseDue } from './erase.ts'

/** Rows that name an account and stay after it was deleted, by table and column, and why. */
const STAYS: Readonly<Record<string, string>> = {
  'audit_log.actor_user_id': 'Who changed what stays provable; the database refuses to delete or change rows.',
  'audit_log.actor': 'The same; the public id is no name.',
  'orders.user_id': 'Records of money; the row of the account has nothing about a person any more.',
  'order_counts.user_id': 'Numbers of the orders that stay.',
  'wallet_releases.user_id': 'A day, so that a wallet cannot claim coins for several accounts; then it is deleted.',
  'receipts.account': 'Until nodes cannot send a receipt again, so that none counts twice; then it is deleted.',
  'ended_shares.account': 'Three hours, so that nodes refuse tokens of the shares.',
  'team_events.actor': 'What members did in a team, by public id, as long as other events of the team.',
  'exchanges.account': 'The account at the partner, not of this portal: a record of money.',
  'exchanges.account_name': 'The same.',
  'log_anchors.account': 'A number of the chain, not an account of this portal.',
}

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const erase = (signal = new AbortController().signal) => eraseDue(env.context, features, signal)
const schedule = (person: Person, at = new Date(env.clock.now())) =>
  env.db.run(sql`update users set closing_at = ${at} where id = ${person.id}`)

interface Column {
  table: string
  column: string
  type: string
}
/** Every column that refers to an account, by its internal or its public id. */
const accountColumns = () =>
  env.db.rows<Column>(sql`
    select c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.table_name <> 'users') and (
      c.column_name in ('owner_id', 'account', 'account_name', 'uid', 'actor') or c.column_name like '%user_id'
      or exists (select from pg_constraint k join pg_class r on r.oid = k.conrelid
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
        where k.contype = 'f' and k.confrelid = 'users'::regclass and r.relname = c.table_name and a.attname = c.column_name))
    order by 1, 2`)

/** Inserts a row into every table that refers to an account, with made-up values, in every such column. */
async function insertEverywhere(person: Person, columns: readonly Column[]): Promise<void> {
  await env.db.transaction(async (tx) => {
    // Without foreign keys, checks and triggers: what matters is who the row belongs to.
    await tx.run(sql`set local session_replication_role = replica`)
    for (const { table } of columns.filter(
      (each, index) => columns.findIndex((c) => c.table === each.table) === index,
    )) {
      const own = columns.filter((each) => each.table === table)
      await tx.run(
        sql`select insert_sample(${table}, ${own.map(({ column }) => column)}::text[], ${person.id}::bigint, ${person.uid})`,
      )
    }
  })
}

/** The values of the other columns are made up by type. */
const SAMPLES = `
create function insert_sample(named text, own text[], id bigint, uid text) returns void language plpgsql as $$
declare
  names text; vals text;
begin
  select string_agg(format('%I', column_name), ', '), string_agg(
    case when column_name = any(own) then case when data_type = 'bigint' then id::text else quote_literal(uid) end
      when data_type in ('bigint', 'integer', 'smallint', 'numeric', 'real', 'double precision') then floor(random() * 30000 + 1)::text
      when data_type = 'boolean' then 'false'
      when data_type = 'date' then 'current_date'
      when data_type = 'timestamp with time zone' then 'now()'
      when data_type = 'uuid' then quote_literal(gen_random_uuid())
      when data_type = 'bytea' then quote_literal('\\x' || encode(sha256(random()::text::bytea), 'hex')) || '::bytea'
      when data_type in ('json', 'jsonb') then '''{}'''
      when data_type = 'ARRAY' then '''{}'''
      else quote_literal('sample' || random()) end, ', ')
  into names, vals from information_schema.columns
  where table_schema = 'public' and table_name = named and (is_nullable = 'NO' or column_name = any(own)) and is_generated = 'NEVER';
  execute format('insert into %I (%s) overriding system value values (%s)', named, names, vals);
end $$;
do $$ declare c record; begin
  for c in select conrelid::regclass as named, conname from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace
  loop execute format('alter table %s drop constraint %I', c.named, c.conname); end loop;
end $$`

const countRows = (person: Person, { table, column, type }: Column) =>
  env.db
    .one<{ count: number }>(
      sql`select count_rows(${table}, ${column}, ${type === 'bigint' ? String(person.id) : person.uid}) as count`,
    )
    .then(({ count }) => count)

describe('the deletion of an account', () => {
  it('leaves no row of any table that refers to it, except those with a reason', async () => {
    const columns = await accountColumns()
    expect(columns.length).toBeGreaterThan(50)
    const sample = await setup()
    const whole = env
    env = sample
    try {
      await env.db.pool.query(SAMPLES)
      await env.db.pool.query(`create function count_rows(named text, col text, value text) returns bigint language plpgsql as $$
        declare found bigint; begin
          execute format('select count(*) from %I where %I::text = $1', named, col) into found using value; return found; end $$`)
      const [person, other] = [await env.person(), await env.person()]
      await insertEverywhere(person, columns)
      await insertEverywhere(other, columns)
      for (const column of columns)
        expect(await countRows(person, column), `${column.table}.${column.column}`).toBeGreaterThan(0)
      const before = await Promise.all(columns.map((column) => countRows(other, column)))
      // What would delay it is tested below.
      await env.db.run(sql`update orders set money = 'settled', status = 9 where user_id = ${person.id}`)
      await env.db.run(sql`update exchanges set state = 'completed' where user_id = ${person.id}`)
      for (const table of [sql`exchange_refunds`, sql`test_coins`, sql`claims`, sql`redemptions`, sql`order_credits`])
        await env.db.run(sql`update ${table} set state = 'done' where user_id = ${person.id}`)
      await env.db.run(sql`update workspaces set state = 'removed' where user_id = ${person.id}`)
      await schedule(person)
      await erase()
      const left: string[] = []
      for (const column of columns)
        if ((await countRows(person, column)) > 0) left.push(`${column.table}.${column.column}`)
      expect(left.filter((name) => !(name in STAYS))).toEqual([])
      // Nothing of anybody else is touched.
      expect(await Promise.all(columns.map((column) => countRows(other, column)))).toEqual(before)
      expect(
        await env.db.one(
          sql`select email, password_hash, vip, role, erased_at is not null as erased from users where id = ${person.id}`,
        ),
      ).toEqual({ email: null, password_hash: null, vip: false, role: 'user', erased: true })
    } finally {
      env = whole
      await sample.close()
    }
  })

  it('names only columns that exist as staying', async () => {
    const names = new Set((await accountColumns()).map(({ table, column }) => `${table}.${column}`))
    expect(Object.keys(STAYS).filter((name) => !names.has(name))).toEqual([])
  })

  it('releases the contents, also of files in the trash, and keeps those of others', async () => {
    const [person, other, node] = [await env.person(), await env.person(), await env.node()]
    const own = await sampleFile(env.db, person.id, { nodes: [node] })
    const shared = await sampleFile(env.db, person.id, { nodes: [node] })
    await env.db.run(sql`
      insert into assets (user_id, folder_id, seq, cid, kind, name, size, encrypted, areas, created_at, expires_at)
      select ${other.id}, 0, 1, cid, kind, name, size, encrypted, areas, created_at, expires_at from assets where cid = ${shared.cid}`)
    const trashed = await sampleFile(env.db, person.id, { nodes: [node] })
    await env.call('trash.put', { assets: [trashed.cid] }, person)
    await schedule(person)
    await erase()
    const held = await env.db.rows<{ cid: string }>(sql`
      select cid from replicas where cid = any(${[own.cid, shared.cid, trashed.cid]}) and state = 'stored'`)
    expect(held).toEqual([{ cid: shared.cid }])
  })

  it('goes on where it was killed, and finishes once', async () => {
    const person = await env.person()
    for (let count = 0; count < 5; count++) await sampleFile(env.db, person.id)
    await schedule(person)
    const killed = new AbortController()
    killed.abort()
    await erase(killed.signal)
    const state = () =>
      env.db.one<{ email: string | null; erased: boolean }>(sql`
        select email, erased_at is not null as erased from users where id = ${person.id}`)
    expect(await state()).toEqual({ email: person.email, erased: false })
    await Promise.all([erase(), erase(), erase()])
    expect(await state()).toEqual({ email: null, erased: true })
    expect(await inbox(env, person.email)).toHaveLength(1)
    await erase()
    expect(await inbox(env, person.email)).toHaveLength(1)
  })

  it('deletes thousands of files, in many small transactions', async () => {
    const person = await env.person()
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at) select 'many' || n, 'many' || n, 'file', 1, 1, ${at}
      from generate_series(1, 3000) n`)
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, encrypted, areas, created_at, expires_at)
      select ${person.id}, 0, cid, 'file', cid, 1, false, '{}', ${at}, ${at} from contents where cid like 'many%'`)
    await schedule(person)
    const sizes: number[] = []
    const left = async () =>
      (await env.db.one<{ count: number }>(sql`select count(*) as count from assets where user_id = ${person.id}`))
        .count
    const { transaction } = env.db
    env.db.transaction = async (work) => {
      const before = await left()
      const result = await transaction(work)
      sizes.push(before - (await left()))
      return result
    }
    try {
      await erase()
    } finally {
      env.db.transaction = transaction
    }
    expect(await left()).toBe(0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
  })

  it('waits while there is money that would be lost', async () => {
    const person = await env.person()
    await env.db.run(sql`
      insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
      values (${person.id}, 'tide1x', current_date, 1, '', 'reserved', now(), now())`)
    await schedule(person)
    await erase()
    const at = () =>
      env.db.one<{ later: boolean }>(sql`
      select closing_at > ${new Date(env.clock.now())} as later from users where id = ${person.id}`)
    expect(await at()).toEqual({ later: true })
    expect(await env.call('accounts.info', {}, person)).toMatchObject({ code: 0 })
  })

  it('waits while the account belongs to an operator, who was made one since', async () => {
    const person = await env.person()
    await schedule(person)
    await env.db.run(sql`update users set role = 'operator' where id = ${person.id}`)
    await erase()
    expect(await env.call('accounts.info', {}, person)).toMatchObject({ code: 0 })
  })

  it('deletes what a team has left when its owner deletes it: keys, webhooks, and uploads that nobody listed', async () => {
    const [person, node] = [await env.person(), await env.node()]
    const { team } = (await env.call('teams.create', { name: 'Short' }, person)).data
    const as = { ...person, team }
    const { id } = await env.db.one<{ id: number }>(sql`select id from users where uid = ${team}`)
    await env.call('folders.create', { name: 'Empty' }, as)
    await env.call('webhooks.create', { name: 'w', url: 'http://127.0.0.1:9/', events: ['asset.uploaded'] }, as)
    const { key } = (await env.call('apiKeys.create', { key_name: 'build' }, as)).data
    const { cid } = await sampleFile(env.db, person.id, { nodes: [node] })
    await node
      .receipt({ sub: team, cid, size: 20 })
      .then((receipt) => env.call('nodeControl.receipts', { receipts: [receipt] }, node))
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    expect(await env.call('teams.remove', { team }, person)).toMatchObject({ code: 0 })
    env.pass(1000)
    expect(await env.call('folders.list', {}, { token: key })).toMatchObject({ code: 401 })
    await erase()
    const left = await env.db.one(sql`
      select (select count(*) from folders where user_id = ${id}) as folders, (select count(*) from webhooks where user_id = ${id}) as webhooks,
        (select count(*) from api_keys where user_id = ${id}) as keys,
        (select count(*) from replicas where cid = ${cid} and state = 'stored') as copies`)
    expect(left).toEqual({ folders: 0, webhooks: 0, keys: 0, copies: 0 })
  })

  it('frees the e-mail address for a new account', async () => {
    const person = await env.person()
    await schedule(person)
    await erase()
    await env.call('accounts.verifyCode', { username: person.email, type: 1 })
    const verify_code = (await inbox(env, person.email))[0]?.code as string
    const input = { username: person.email, verify_code, password: 'tide-Net9' }
    expect(await env.call('accounts.register', input)).toMatchObject({ code: 0 })
    expect(await env.call('accounts.info', {}, person)).toMatchObject({ code: 401 })
  })
})
