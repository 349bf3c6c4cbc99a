import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const folder = async (person: Person, name: string, parent = 0) =>
  (await env.call('folders.create', { name, parent }, person)).data.group.ID
const total = async (person: Person, parent = 0) => (await env.call('folders.contents', { parent }, person)).data.total

describe('moving several items', () => {
  it('returns a result for each; a failure does not stop the others', async () => {
    const person = await env.person()
    const [target, group] = [await folder(person, 'target'), await folder(person, 'group')]
    const inside = await folder(person, 'inside', target)
    const [file, there] = [await sampleFile(env.db, person.id), await sampleFile(env.db, person.id, { folder: target })]
    const unknown = (await sampleFile(env.db, (await env.person()).id)).cid
    const { data } = await env.call(
      'folders.moveMany',
      { assets: [file.cid, there.cid, unknown], folders: [group, target, 2_000_000_000], target },
      person,
    )
    expect(data.results).toMatchObject([
      { id: String(group), ok: true },
      { id: String(target), ok: false, err: 10020 },
      { ok: false, err: 10018 },
      { id: file.cid, ok: true },
      { id: there.cid, ok: false, err: 10022 },
      { id: unknown, ok: false, err: 10028 },
    ])
    expect(await total(person, target)).toBe(4)
    expect(await total(person)).toBe(1)
    expect(inside).toBeGreaterThan(0)
  })

  it('never creates a cycle, also when several are moved at once', async () => {
    const person = await env.person()
    const [a, b] = [await folder(person, 'a'), await folder(person, 'b')]
    const answers = await Promise.all([
      env.call('folders.moveMany', { folders: [a], target: b }, person),
      env.call('folders.moveMany', { folders: [b], target: a }, person),
    ])
    expect(answers.map((answer) => answer.data.results[0]?.ok).sort()).toEqual([false, true])
  })

  it('refuses folders of others, keys without the permission, and visitors', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const theirs = await folder(other, 'theirs')
    const { cid } = await sampleFile(env.db, person.id)
    expect(await env.call('folders.moveMany', { assets: [cid], target: theirs }, person)).toMatchObject({
      code: -1,
      err: 10018,
    })
    const key = { token: await env.key(person, ['readFile', 'createFolder']) }
    expect(await env.call('folders.moveMany', { assets: [cid], target: 0 }, key)).toMatchObject({ err: 1028 })
    expect(await env.call('folders.moveMany', { target: 0 })).toMatchObject({ code: 401 })
    const many = Array.from({ length: 1001 }, () => cid)
    expect(await env.call('folders.moveMany', { assets: many, target: 0 }, person)).toMatchObject({ err: 1001 })
  })
})

describe('finding names that exist', () => {
  it('compares names of direct children exactly', async () => {
    const person = await env.person()
    const home = await folder(person, 'home')
    const inner = await folder(person, 'a', home)
    const { cid } = await sampleFile(env.db, person.id, { folder: home, name: 'b.txt', size: 5 })
    await sampleFile(env.db, person.id, { folder: inner, name: 'c.txt' })
    const { data } = await env.call(
      'folders.findNames',
      { parent: home, names: ['a', 'b.txt', 'c.txt', 'B.txt', 'd'] },
      person,
    )
    expect(data.list).toHaveLength(2)
    expect(data.list).toMatchObject([
      { name: 'b.txt', kind: 'file', id: cid, size: 5 },
      { name: 'a', kind: 'group', id: String(inner) },
    ])
    expect(await env.call('folders.findNames', { parent: home, names: ['a'] }, await env.person())).toMatchObject({
      code: -1,
      err: 10018,
    })
  })
})

describe('the manifest of an archive', () => {
  const manifest = async (person: Person, input: { assets?: string[]; folders?: number[] }) => {
    const list = []
    const empty: string[] = []
    let after = 0
    for (;;) {
      const { data } = await env.call('folders.manifest', { ...input, after }, person)
      list.push(...data.list)
      empty.push(...data.empty)
      if (data.next === undefined) return { list, empty }
      after = data.next
    }
  }

  it('contains every file with its path, and empty folders', async () => {
    const person = await env.person()
    const outer = await folder(person, 'Holiday')
    const day = await folder(person, 'Day 1', outer)
    await folder(person, 'Day 2', outer)
    const files = [
      await sampleFile(env.db, person.id, { name: 'top.txt' }),
      await sampleFile(env.db, person.id, { folder: outer, name: 'a.txt' }),
      await sampleFile(env.db, person.id, { folder: day, name: 'tar', kind: 'folder' }),
    ]
    await sampleFile(env.db, person.id, { name: 'not asked for.txt' })
    const { list, empty } = await manifest(person, { assets: [files[0]?.cid ?? ''], folders: [day, outer] })
    expect(list.map(({ path, kind }) => [path, kind])).toEqual([
      ['top.txt', 'file'],
      ['Holiday/a.txt', 'file'],
      ['Holiday/Day 1/tar', 'folder'],
    ])
    expect(empty).toEqual(['Holiday/Day 2'])
  })

  it('returns a long manifest in pages', async () => {
    const person = await env.person()
    const home = await folder(person, 'many')
    await sampleFiles(env.db, person.id, 2300, home)
    const { list } = await manifest(person, { folders: [home] })
    expect(new Set(list.map(({ cid }) => cid)).size).toBe(2300)
  })

  it('contains nothing of others, and refuses keys that may not read folders', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const theirs = await folder(other, 'theirs')
    const { cid } = await sampleFile(env.db, other.id, { folder: theirs })
    expect(await manifest(person, { assets: [cid], folders: [theirs] })).toEqual({ list: [], empty: [] })
    const key = { token: await env.key(other, ['readFile']) }
    expect(await env.call('folders.manifest', { folders: [theirs] }, key)).toMatchObject({ code: -1, err: 1028 })
    expect(await env.call('folders.manifest', { assets: [cid] })).toMatchObject({ code: 401 })
  })
})
