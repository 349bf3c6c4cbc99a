import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkProgram } from './check.mjs'
import { allowedValues, openDatabase } from './database.mjs'
import { programOf } from './statements.mjs'

const SCHEMA = `
  create table people (
    id bigint primary key, name text not null, email text, kind text not null check (kind in ('user', 'operator')),
    status smallint not null check (status between 0 and 2), about jsonb not null, tags text[] not null,
    folded text generated always as (lower(name)) stored, born timestamptz);
  create table notes (id bigint primary key, owner bigint not null references people, text text not null, word text not null);`

const TAG = `
  export interface Sql { readonly text: string }
  export declare function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql
  export declare const none: Sql
  export interface Db {
    rows<T>(statement: Sql): Promise<T[]>
    maybe<T>(statement: Sql): Promise<T | undefined>
    one<T>(statement: Sql): Promise<T>
    run(statement: Sql): Promise<number>
  }
  export declare const db: Db`

const name = `sql_types_${randomBytes(8).toString('hex')}`
const folder = mkdtempSync(join(tmpdir(), 'tidenet-sql-types-'))
let admin: pg.Client
let database: Awaited<ReturnType<typeof openDatabase>>

beforeAll(async () => {
  const url = process.env.TIDENET_TEST_DATABASE as string
  admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href
  const client = new pg.Client({ connectionString: own })
  await client.connect()
  await client.query(SCHEMA)
  await client.end()
  database = await openDatabase(own, ['notes.word'])
  writeFileSync(join(folder, 'db.ts'), TAG)
})

afterAll(async () => {
  await database.close()
  await admin.query(`drop database ${name}`)
  await admin.end()
  rmSync(folder, { recursive: true })
})

let programs = 0
/** The error messages for a program, without places. */
async function errorsOf(code: string, unread: Record<string, string> = {}): Promise<string[]> {
  const file = `program${++programs}.ts`
  const config = join(folder, `tsconfig${programs}.json`)
  writeFileSync(join(folder, file), `import { db, none, sql, type Sql } from './db.ts'\n${code}`)
  const compilerOptions = {
    strict: true,
    target: 'ES2023',
    lib: ['ES5'],
    module: 'NodeNext',
    allowImportingTsExtensions: true,
    types: [],
  }
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }))
  const { wrong } = await checkProgram(programOf(config), { root: folder, database, unread })
  return (wrong as string[]).map((each) => each.replace(/^program\d+\.ts:\d+ /, ''))
}

describe('a row type', () => {
  it('is accepted if it matches the result', async () => {
    expect(
      await errorsOf(`
        interface Person { id: number; name: string; email: string | null; kind: 'user' | 'operator'; status: 0 | 1 | 2; tags: string[]; about: unknown }
        export const all = (): Promise<Person[]> => db.rows(sql\`select * from people\`)
        export const first = () => db.maybe<{ born: Date | null; folded: string }>(sql\`select born, folded from people limit 1\`)
        export const count = async () => (await db.one<{ count: number }>(sql\`select count(*) as count from people\`)).count`),
    ).toEqual([])
  })

  it.each([
    ['a wrong type', 'id: string', 'select id from people', 'id: is bigint, the row says string'],
    ['a date that is text', 'at: Date', "select '' as at", 'at: is text, the row says Date'],
    [
      'an array of bigint, which is text',
      'all: number[]',
      "select '{1}'::bigint[] as all",
      'all: is bigint[], the row says number[]',
    ],
    [
      'JSON of an unknown type',
      'about: { a: 1 }',
      'select about from people',
      'about: is jsonb, the row says { a: 1; }',
    ],
    ['any', 'id: any', 'select id from people', 'id: is any'],
    [
      'a missing column',
      'id: number; nickname: string',
      'select id from people',
      'nickname: the result has no such column',
    ],
    ['a missing text value', "kind: 'user'", 'select kind from people', 'kind: may be operator, the row says "user"'],
    ['a missing number', 'status: 0 | 1', 'select status from people', 'status: may be 2, the row says 0 | 1'],
    [
      'text values of a column without a check',
      "text: 'a'",
      'select text from notes',
      'text: may be anything, the row says "a"',
    ],
  ])('is rejected with %s', async (_, row, text, wrong) => {
    expect(await errorsOf(`export const a = () => db.rows<{ ${row} }>(sql\`${text}\`)`)).toEqual([`a: ${wrong}`])
  })

  it.each([
    ['a column', 'email', 'select email from people'],
    ['an outer join', 'name', 'select p.name from notes n left join people p on p.id = n.owner'],
    ['an aggregate of no rows', 'name', 'select max(name) as name from people'],
    ['a filtered aggregate', 'id', 'select max(id) filter (where status = 1) as id from people group by kind'],
    ['a case without else', 'id', 'select case when status = 1 then id end as id from people'],
    ['a row that may not exist', 'text', 'select (select text from notes where owner = p.id) as text from people p'],
    ['half a union', 'name', 'select name from people union all select email from people'],
    ['a common table', 'email', 'with few as (select email from people) select email from few'],
    ['what an update sets', 'email', 'update people set email = null where email is not null returning email'],
  ])('is rejected without the null of %s', async (_, column, text) => {
    const wrong = await errorsOf(
      `export const a = () => db.rows<{ ${column}: ${column === 'id' ? 'number' : 'string'} }>(sql\`${text}\`)`,
    )
    expect(wrong).toEqual([expect.stringContaining(`a: ${column}: may be null`)])
  })

  it.each([
    ['a condition', 'email: string', 'select email from people where email is not null'],
    ['a comparison', 'email: string', "select email from people where email > 'a'"],
    ['a case', 'email: string', "select case when email is null then '' else email end as email from people"],
    ['an aggregate of a group', 'name: string', 'select max(name) as name from people group by kind'],
    ['coalesce', 'email: string', "select coalesce(email, '') as email from people"],
    ['values in a condition', "kind: 'user'", "select kind from people where kind in ('user')"],
    ['values excluded by a condition', "kind: 'user'", "select kind from people where kind <> 'operator'"],
    ['values set by an update', "kind: 'user'", "update people set kind = 'user' returning kind"],
    ['values of an unchecked column', "word: 'a'", 'select word from notes'],
  ])('can rely on %s', async (_, row, text) => {
    expect(await errorsOf(`export const a = () => db.rows<{ ${row} }>(sql\`${text}\`)`)).toEqual([])
  })

  it('must not be a cast', async () => {
    const wrong = await errorsOf(
      'export const a = async () => (await db.rows(sql`select id from people`)) as { id: string }[]',
    )
    expect(wrong).toContain('a: not read: its rows are cast')
  })

  it('cannot rely on a parameter that may be null', async () => {
    const read = (type: string) =>
      errorsOf(
        `export const a = (it: ${type}) => db.rows<{ it: string }>(sql\`select \${it}::text as it from people\`)`,
      )
    expect(await read('string')).toEqual([])
    expect(await read('string | null')).toEqual(['a: it: may be null, the row says string'])
  })
})

describe('a statement', () => {
  it('is read with every choice of its fragments', async () => {
    const wrong = await errorsOf(`
      const columns = sql\`id, name\`
      const matching = (email?: string): Sql => (email === undefined ? none : sql\`and email = \${email}\`)
      const orders = { id: sql\`id\`, age: sql\`age\` }
      export const a = (sort: keyof typeof orders, email?: string) => db.rows<{ id: number; email: string }>(sql\`
        select \${columns} from people where true \${matching(email)} order by \${orders[sort]}\`)`)
    expect(wrong).toContain('a: email: the result has no such column')
    expect(wrong).toContainEqual(
      expect.stringContaining('a: column "age" does not exist: select id, name from people where true'),
    )
  })

  it('is read for each call of a function that takes a fragment', async () => {
    const wrong = await errorsOf(`
      const some = (condition: Sql) => db.rows<{ id: number }>(sql\`select id from people where \${condition}\`)
      export const good = () => some(sql\`status = 1\`)
      export const bad = () => some(sql\`state = 1\`)`)
    expect(wrong).toEqual([expect.stringContaining('some: column "state" does not exist')])
  })

  it('is also read in a list of statements', async () => {
    const wrong = await errorsOf('export const expired = (): Sql[] => [sql`delete from persons`]')
    expect(wrong).toEqual(['expired: relation "persons" does not exist: delete from persons'])
  })

  it('must be on the list of exceptions exactly if it cannot be read', async () => {
    const code = 'export const a = (statement: Sql) => db.run(statement)'
    expect(await errorsOf(code)).toEqual([expect.stringContaining('a: not read: cannot follow `statement: Sql`')])
    expect(await errorsOf(code, { [`program${programs + 1}.ts a`]: 'for the test' })).toEqual([])
    expect(await errorsOf('export {}', { 'gone.ts a': 'for the test' })).toEqual([
      'gone.ts a: can be read now; remove it from the list',
    ])
  })
})

describe('a check of the schema', () => {
  it.each([
    ["CHECK ((kind = ANY (ARRAY['file'::text, 'it''s'::text])))", ['file', "it's"]],
    ["CHECK ((kind = 'granted'::text))", ['granted']],
    ['CHECK (((status >= 0) AND (status <= 2)))', [0, 1, 2]],
    ['CHECK ((price >= 0))', undefined],
  ])('%s is parsed', (check, values) => {
    expect(allowedValues(check)).toEqual(values)
  })
})
