import { describe, expect, it } from 'vitest'
import { compareOwners } from './compare.mjs'
import { findTables, findUses } from './find.mjs'

const owners = { 'storage/links': ['links'], 'storage/tree': ['folders'], 'identity/accounts': ['users'] }
const tables = new Set(['links', 'folders', 'users'])
const wrong = (file: string, statement: string, changes: object = {}) =>
  compareOwners({ tables, owners, exceptions: {}, uses: findUses(file, `run(sql\`${statement}\`)`), ...changes })

describe('owners of tables', () => {
  it.each([
    ['storage/links/repository.ts', 'update links set area = $' + '{area} where id in (select id from folders)'],
    ['storage/tree/repository.ts', 'delete from folders f using links l where l.id = f.id'],
    ['storage/tree/repository.ts', 'select extract(epoch from users) from folders for update of links'],
    ['identity/accounts/repository.ts', "select 1 from users where name = 'from links' -- from links"],
  ])('allows %s: %s', (file, statement) => {
    expect(wrong(file, statement)).toEqual([])
  })

  it.each([
    ['storage/tree/repository.ts', 'insert into links (id) select id from folders', 'storage/tree writes links'],
    ['storage/tree/repository.ts', 'with gone as (delete from links) select 1', 'storage/tree writes links'],
    ['storage/tree/repository.ts', 'select 1 from folders f join users u on u.id = f.id', 'storage/tree reads users'],
    ['storage/tree/repository.ts', 'select 1 from folders f, links as l, users u', 'storage/tree reads users'],
    ['network/nodes/nodes.ts', 'update nodes set a = 1 from links', 'network/nodes reads links'],
  ])('rejects %s: %s', (file, statement, message) => {
    expect(wrong(file, statement)).toEqual([expect.stringContaining(`${file}:1: ${message}`)])
  })

  it('rejects a table without an owner, an owner of a table that does not exist, and two owners', () => {
    expect(
      compareOwners({
        tables: new Set(['links', 'tags']),
        owners: { a: ['links'], b: ['links', 'old'] },
        exceptions: {},
        uses: [],
      }),
    ).toEqual([
      expect.stringContaining('links has two owners'),
      expect.stringContaining('old is not a table'),
      expect.stringContaining('tags has no owner'),
    ])
  })

  it('allows a listed exception, and rejects one that is not needed', () => {
    const exceptions = { 'storage/tree reads users': 'a reason' }
    expect(wrong('storage/tree/repository.ts', 'select 1 from users', { exceptions })).toEqual([])
    expect(wrong('storage/tree/repository.ts', 'select 1 from folders', { exceptions })).toEqual([
      expect.stringContaining('"storage/tree reads users" is not needed'),
    ])
  })

  it('follows renamed and dropped tables through the migrations', () => {
    const found = findTables([
      'create table a (id int);\ncreate unlogged table b (id int);',
      'alter table a rename to c;\ndrop table b',
    ])
    expect([...found]).toEqual(['c'])
  })
})
