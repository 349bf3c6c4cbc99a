import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const folder = async (person: Person, name: string, parent = 0) =>
  (await env.call('folders.create', { name, parent }, person)).data.group.ID
type Listing = Parameters<typeof env.call<'folders.contents'>>[1]
const contents = async (person: Person, input: Listing) => (await env.call('folders.contents', input, person)).data
type Row = Awaited<ReturnType<typeof contents>>['list'][number]
const nameOf = ({ AssetOverview, Group }: Row) => Group?.Name ?? AssetOverview?.UserAssetDetail.AssetName ?? ''
const search = async (person: Person, q: string, more: object = {}) =>
  (await env.call('folders.search', { q, ...more }, person)).data
const found = async (person: Person, q: string, more: object = {}) => (await search(person, q, more)).list.map(nameOf)

describe('sorting a folder', () => {
  it('sorts by natural names, sizes or dates, folders first', async () => {
    const person = await env.person()
    for (const name of ['b', 'a']) await folder(person, name)
    for (const [index, name] of ['File 10.txt', 'file 2.txt', 'Äpfel.txt', 'zebra.txt', '潮汐.txt'].entries())
      await sampleFile(env.db, person.id, {
        name,
        size: 50 - index * 10,
        at: new Date(1.7e12 + ((index * 7) % 5) * 1000),
      })
    const names = async (input: Listing) => (await contents(person, input)).list.map(nameOf)
    expect(await names({ sort: 'name' })).toEqual([
      'a',
      'b',
      'Äpfel.txt',
      'file 2.txt',
      'File 10.txt',
      'zebra.txt',
      '潮汐.txt',
    ])
    expect((await names({ sort: 'name', direction: 'desc' })).slice(0, 3)).toEqual(['b', 'a', '潮汐.txt'])
    expect((await names({ sort: 'size', kind: 'file' }))[0]).toBe('File 10.txt')
    expect((await names({ sort: 'size', direction: 'asc', kind: 'file' }))[0]).toBe('潮汐.txt')
    expect(await names({ sort: 'date', kind: 'file' })).toEqual([
      'Äpfel.txt',
      '潮汐.txt',
      'file 2.txt',
      'zebra.txt',
      'File 10.txt',
    ])
  })

  it('returns all items by cursor in every order and page size, also during deletions', async () => {
    const person = await env.person({ vip: true })
    const home = await folder(person, 'home')
    await Promise.all(Array.from({ length: 7 }, (_, index) => folder(person, `f${index}`, home)))
    await sampleFiles(env.db, person.id, 60, home)
    await env.db.run(sql`update assets set size = id % 7 + 1 where user_id = ${person.id}`)
    for (const sort of ['name', 'size', 'date'] as const)
      for (const direction of ['asc', 'desc'] as const)
        for (const page_size of [1, 5, 7, 8, 50]) {
          const seen: string[] = []
          let after: string | undefined
          do {
            const page = await contents(person, {
              parent: home,
              sort,
              direction,
              page_size,
              ...(after && { after }),
            })
            expect(page.total).toBe(67)
            seen.push(...page.list.map(nameOf))
            after = page.next
          } while (after)
          expect(new Set(seen).size).toBe(67)
          expect(seen).toHaveLength(67)
          const counted = await contents(person, { parent: home, sort, direction, page_size, page: 3 })
          expect(counted.list.map(nameOf)).toEqual(seen.slice(2 * page_size, 3 * page_size))
        }
    const first = await contents(person, { parent: home, sort: 'name', page_size: 20 })
    const last = first.list.at(-1)?.AssetOverview?.UserAssetDetail.Cid ?? ''
    await env.call('assets.remove', { asset_cid: last }, person)
    const second = await contents(person, { parent: home, sort: 'name', page_size: 20, after: first.next ?? '' })
    expect(second.list).toHaveLength(20)
    // Counted for the first page only.
    expect(second.total).toBe(first.total)
    expect(second.list.map(nameOf)).not.toContain(nameOf(first.list.at(-1) as Row))
  })

  it('filters by kind, shared and encrypted', async () => {
    const person = await env.person()
    const group = await folder(person, 'group')
    const { cid } = await sampleFile(env.db, person.id, { name: 'shared.JPG' })
    await sampleFile(env.db, person.id, { name: 'tar', kind: 'folder' })
    const secret = await sampleFile(env.db, person.id, { name: 'secret.pdf' })
    await env.db.run(sql`update assets set encrypted = true where cid = ${secret.cid}`)
    await env.call('shares.setStatus', { cid, status: 1 }, person)
    await env.call('shares.setStatus', { cid: String(group), status: 1 }, person)
    const names = async (input: Listing) => {
      const { list, total } = await contents(person, input)
      expect(total).toBe(list.length)
      return list.map(nameOf).sort()
    }
    expect(await names({ kind: 'group' })).toEqual(['group'])
    expect(await names({ kind: 'folder' })).toEqual(['tar'])
    expect(await names({ kind: 'file' })).toEqual(['secret.pdf', 'shared.JPG'])
    expect(await names({ kind: 'image' })).toEqual(['shared.JPG'])
    expect(await names({ kind: 'document', sort: 'name' })).toEqual(['secret.pdf'])
    expect(await names({ shared: true })).toEqual(['group', 'shared.JPG'])
    expect(await names({ shared: false })).toEqual(['secret.pdf', 'tar'])
    expect(await names({ encrypted: true })).toEqual(['secret.pdf'])
    expect(await names({ encrypted: false })).toEqual(['group', 'shared.JPG', 'tar'])
    expect(await names({ cid })).toEqual(['shared.JPG'])
    expect(await names({ groupid: group })).toEqual(['group'])
    expect(await names({ cid, groupid: group })).toEqual(['group', 'shared.JPG'])
    expect(await names({ cid: secret.cid, encrypted: false })).toEqual([])
    expect(await names({ cid, parent: group })).toEqual([])
    const stranger = await env.person()
    expect((await contents(stranger, { cid })).total).toBe(0)
    expect((await contents(stranger, { groupid: group })).total).toBe(0)
    expect(await env.call('folders.contents', { cid: 'nonsense' }, person)).toMatchObject({ code: -1, err: 1001 })
  })

  it('takes page 0 and page size 0 for the defaults, and refuses other numbers out of range', async () => {
    const person = await env.person()
    await sampleFiles(env.db, person.id, 3)
    const usual = await contents(person, {})
    for (const input of [{ page: 0, page_size: 0 }, { page: 0 }, { page_size: 0 }])
      expect(await contents(person, input as Listing)).toEqual(usual)
    for (const input of [{ page: -1 }, { page_size: -1 }, { page_size: 101 }])
      expect(await env.call('folders.contents', input, person)).toMatchObject({ code: -1, err: 1001 })
  })

  it('accepts a cursor only for the order it was made for', async () => {
    const person = await env.person()
    const home = await folder(person, 'home')
    await folder(person, 'group')
    await sampleFiles(env.db, person.id, 3)
    const begun = async (input: Listing) => (await contents(person, { page_size: 2, ...input })).next ?? ''
    const [byName, bySize] = [await begun({ sort: 'name' }), await begun({ sort: 'size' })]
    const found = (await search(person, 'file', { page_size: 2 })).next ?? ''
    const refused = async (input: Listing) =>
      expect(await env.call('folders.contents', input, person)).toMatchObject({ code: -1, err: 1001 })
    expect((await contents(person, { sort: 'name', direction: 'asc', after: byName })).list).toHaveLength(3)
    for (const input of [
      { sort: 'size', after: byName },
      { sort: 'name', after: bySize },
      { sort: 'name', after: found },
      { sort: 'name', direction: 'desc', after: byName },
      { sort: 'name', kind: 'file', after: byName },
      { sort: 'name', shared: false, after: byName },
      { sort: 'name', encrypted: false, after: byName },
      { sort: 'name', parent: home, after: byName },
    ] as const)
      await refused(input)
    expect(await env.call('folders.search', { q: 'file', after: byName }, person)).toMatchObject({ err: 1001 })
  })

  it('rejects forged cursors', async () => {
    const person = await env.person()
    await sampleFiles(env.db, person.id, 3)
    for (const [sort, key] of [
      ['size', 'abc'],
      ['size', '9'.repeat(30)],
      ['date', '2026-02-30'],
      ['date', 'yesterday or so'],
      ['name', 'a\0'],
    ] as const) {
      const { next = '' } = await contents(person, { sort, page_size: 2 })
      const [part, , ...rest] = JSON.parse(Buffer.from(next, 'base64url').toString()) as unknown[]
      const after = Buffer.from(JSON.stringify([part, key, ...rest])).toString('base64url')
      expect(await env.call('folders.contents', { sort, after }, person)).toMatchObject({ code: -1, err: 1001 })
    }
  })

  it('refuses folders of others, unknown orders and invalid cursors', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const home = await folder(person, 'home')
    expect(await env.call('folders.contents', { parent: home, sort: 'name' }, other)).toMatchObject({ err: 10018 })
    for (const input of [
      { sort: 'colour' },
      { direction: 'up' },
      { kind: 'spreadsheet' },
      { after: 'rubbish' },
      { after: 'WzEsMl0' },
    ])
      expect(await env.call('folders.contents', input as Listing, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await env.call('folders.contents', { sort: 'name' })).toMatchObject({ code: 401 })
  })
})

describe('searching names', () => {
  it('finds names in all folders regardless of case and Unicode form, with their paths', async () => {
    const person = await env.person()
    const outer = await folder(person, 'Reisen')
    const inner = await folder(person, 'Küste', outer)
    await sampleFile(env.db, person.id, { folder: inner, name: 'KÜSTE bei Ebbe.jpg' })
    await sampleFile(env.db, person.id, { name: '潮汐表 2026.pdf' })
    await sampleFile(env.db, person.id, { name: 'ＡＢＣ.txt' })
    const { list } = await search(person, 'küste')
    expect(list.map(nameOf)).toEqual(['Küste', 'KÜSTE bei Ebbe.jpg'])
    expect(list[1]?.path).toEqual([
      { ID: outer, Name: 'Reisen' },
      { ID: inner, Name: 'Küste' },
    ])
    expect(await found(person, '汐表')).toEqual(['潮汐表 2026.pdf'])
    expect(await found(person, 'abc')).toEqual(['ＡＢＣ.txt'])
    expect(await found(person, '2026 潮汐')).toEqual(['潮汐表 2026.pdf'])
  })

  it('lists prefix matches first, in pages without repetition', async () => {
    const person = await env.person()
    for (const name of ['a tide table', 'tide b', 'the tide', 'tide a', 'ebb', 'low tide'])
      await sampleFile(env.db, person.id, { name })
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await search(person, 'tide', { page_size: 2, ...(after && { after }) })
      seen.push(...page.list.map(nameOf))
      after = page.next
    } while (after)
    expect(seen).toEqual(['tide a', 'tide b', 'a tide table', 'low tide', 'the tide'])
    expect(await found(person, 'tide', { kind: 'group' })).toEqual([])
  })

  it('treats input as plain text', async () => {
    const person = await env.person()
    for (const name of ['100%.txt', 'a_b.txt', "it's.txt", 'plain.txt']) await sampleFile(env.db, person.id, { name })
    expect(await found(person, '%')).toEqual(['100%.txt'])
    expect(await found(person, '_')).toEqual(['a_b.txt'])
    expect(await found(person, "it's")).toEqual(["it's.txt"])
    expect(await found(person, '   ')).toEqual([])
  })

  it('finds nothing of others or in the trash, and no folders for keys that may not read them', async () => {
    const [person, other] = [await env.person(), await env.person()]
    await folder(person, 'needle folder')
    const { cid } = await sampleFile(env.db, person.id, { name: 'needle.txt' })
    await sampleFile(env.db, other.id, { name: 'needle of others.txt' })
    const reader = { ...person, token: await env.key(person, ['readFile']) }
    expect(await found(reader, 'needle')).toEqual(['needle.txt'])
    const home = await folder(person, 'home')
    await env.call('folders.moveMany', { assets: [cid], target: home }, person)
    const pathsFor = async (caller: { token: string }) =>
      (await env.call('folders.search', { q: 'needle.txt' }, caller)).data.list.map(({ path }) => path)
    expect(await pathsFor(reader)).toEqual([[]])
    const both = { token: await env.key(person, ['readFile', 'readFolder']) }
    expect(await pathsFor(both)).toEqual([[{ ID: home, Name: 'home' }]])
    await env.call('trash.put', { assets: [cid] }, person)
    expect(await found(person, 'needle')).toEqual(['needle folder'])
    const folders = { token: await env.key(person, ['readFolder']) }
    expect(await env.call('folders.search', { q: 'needle' }, folders)).toMatchObject({ code: -1, err: 1028 })
    expect(await env.call('folders.search', { q: 'needle' })).toMatchObject({ code: 401 })
    expect(await env.call('folders.search', { q: 'x'.repeat(201) }, person)).toMatchObject({ code: -1, err: 1001 })
  })
})
