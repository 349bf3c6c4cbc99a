import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { STATEMENTS_MAX } from './groups.ts'
import { listObjects } from './list.ts'
import { listVersions } from './list-versions.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put } = sampleObjects(() => env)

const asked = { bucket: 'photos', prefix: '', delimiter: '|', limit: 1000 }

async function bucketOf(...names: string[]) {
  const person = await env.person({ vip: true })
  await env.call('s3.createBucket', { bucket: 'photos' }, person)
  await put(person, person.uid, 'photos', { '0': 'sand' })
  await env.db.run(sql`
    insert into assets (user_id, folder_id, cid, kind, name, size, areas, created_at, expires_at)
    select user_id, folder_id, cid, kind, n, 1, areas, created_at, expires_at from assets, unnest(${names}::text[]) n where user_id = ${person.id}`)
  return person
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(n + from).padStart(5, '0'))

/** Counts the statements of lists. */
function counted(person: Person) {
  const caller = { userId: person.id, uid: person.uid, folders: undefined } as unknown as Member
  const count = { statements: 0 }
  const db = {
    ...env.db,
    rows: <T>(statement: Sql) => {
      count.statements += 1
      return env.db.rows<T>(statement)
    },
  }
  return {
    count,
    objects: async (after = '') => {
      const { objects, prefixes, next } = await listObjects({ db }, caller, { ...asked, after })
      return { keys: objects.map(({ key }) => key), prefixes, next }
    },
    versions: async (after = '') => {
      const input = { ...asked, after_key: after, after_version: '' }
      const { versions, prefixes, next_key: next } = await listVersions({ db }, caller, input)
      return { keys: versions.map(({ key }) => key), prefixes, next }
    },
  }
}

describe.each(['objects', 'versions'] as const)('a page of %s, grouped by any text', (kind) => {
  it('of many small groups costs few statements', async () => {
    const person = await bucketOf(...numbers(3000).flatMap((n) => [`${n}|a`, `${n}|b`]))
    const { count, [kind]: list } = counted(person)
    const page = await list()
    expect(page).toMatchObject({ keys: ['0'], prefixes: numbers(999).map((n) => `${n}|`), next: '00998|' })
    expect(count.statements).toBeLessThan(STATEMENTS_MAX)
    expect((await list(page.next)).prefixes).toEqual(numbers(1000, 999).map((n) => `${n}|`))
  })

  it('of large groups ends early, and the next page goes on behind it', { tags: ['long'] }, async () => {
    const members = numbers(260)
    const groups = numbers(STATEMENTS_MAX + 5)
    const person = await bucketOf(...groups.flatMap((n) => members.map((member) => `${n}|${member}`)))
    const { [kind]: list, count } = counted(person)
    const first = await list()
    expect(first.keys).toEqual(['0'])
    expect(first.next).not.toBe('')
    // Besides those of the page: the bucket and its folder.
    expect(count.statements).toBeLessThan(STATEMENTS_MAX + 5)
    const second = await list(first.next)
    expect([...first.prefixes, ...second.prefixes]).toEqual(groups.map((n) => `${n}|`))
    expect(second.next).toBe('')
  })

  it('has a group once, whatever its keys end with', async () => {
    const most = '\u{10ffff}'
    const person = await bucketOf('g|a', `g|${most}`, `g|${most}${most}`, `g|${most}a`, 'h')
    const { [kind]: list } = counted(person)
    expect(await list()).toEqual({ keys: ['0', 'h'], prefixes: ['g|'], next: '' })
    expect(await list('g|')).toEqual({ keys: ['h'], prefixes: [], next: '' })
  })
})
