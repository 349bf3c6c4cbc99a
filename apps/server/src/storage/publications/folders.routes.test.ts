import { cidOfDigest, DAG_PB, parseCid } from '@tidenet/content/cid'
import { readNode } from '@tidenet/content/unixfs'
import { errors, PUBLISHED_FOLDER_FILES_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockContent } from '../../network/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'
import { preparePublications } from './prepare.ts'
import * as repository from './repository.ts'

/** Folders of single files that are published as they are. */

const SECRET = 'a'.repeat(64)
const gateway = { token: SECRET }
let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup({ s3GatewaySecret: SECRET, ipfsUrl: 'https://ipfs.test' })
  node = await env.node()
})
afterAll(() => env?.close())

const prepare = () => preparePublications(env.context, new AbortController().signal)
const folderOf = async (person: Person, name = 'photos', parent = 0) =>
  (await env.call('folders.create', { name, parent }, person)).data.group.ID
const file = (person: Person, more: Parameters<typeof sampleFile>[2] = {}) =>
  sampleFile(env.db, person.id, { nodes: [node], ...more })
const publish = (folder_id: number, as: As) => env.call('publications.createFolder', { folder_id }, as)
const unpublish = (folder_id: number, as: As) => env.call('publications.removeFolder', { folder_id }, as)
const list = async (as: As) => (await env.call('publications.list', {}, as)).data.list
const hex = (cid: string) => Buffer.from(parseCid(cid).multihash.digest).toString('hex')
const find = async (cid: string, part_of?: number) =>
  (await env.call('publications.find', { digest: hex(cid), part_of }, gateway)).data.list
const readNodeOf = (id: number, cid: string) => env.call('publications.node', { id, digest: hex(cid) }, gateway)

/** The names and CIDs in a node, as the gateway reads it. */
async function linksOf(id: number, cid: string) {
  const { data } = await readNodeOf(id, cid)
  const { links } = readNode(parseCid(cid), new Uint8Array(Buffer.from(data.bytes, 'base64')))
  return new Map(links.map((link) => [link.name, String(link.cid)]))
}

/** A published folder with two files, one of them in a folder below. */
async function published(person: Person) {
  const folder = await folderOf(person)
  const below = await folderOf(person, 'coast', folder)
  const [first, second] = [
    await file(person, { folder, name: 'a.txt' }),
    await file(person, { folder: below, name: 'b.txt' }),
  ]
  expect(await publish(folder, person)).toMatchObject({ code: 0, data: { state: 'preparing', files: 2, cid: '' } })
  await prepare()
  const [publication] = await list(person)
  const [found] = await find(publication?.cid ?? '')
  return { folder, first, second, cid: publication?.cid ?? '', id: found?.id ?? 0 }
}

describe('a published folder', () => {
  it('has a CID, nodes that lead to its files, and the files as parts', async () => {
    const person = await env.person()
    const { folder, first, second, cid, id } = await published(person)
    expect(await list(person)).toMatchObject([
      {
        state: 'ready',
        kind: 'folder',
        name: 'photos',
        folder_id: folder,
        asset_id: 0,
        files: 2,
        files_ended: 0,
        url: `https://ipfs.test/ipfs/${cid}/`,
      },
    ])
    expect(await find(cid)).toMatchObject([{ composed: true, inner: true, root: cid }])
    const top = await linksOf(id, cid)
    expect([...top.keys()]).toEqual(['a.txt', 'coast'])
    expect(top.get('a.txt')).toBe(first.cid)
    expect(await linksOf(id, top.get('coast') ?? '')).toEqual(new Map([['b.txt', second.cid]]))
    const [part] = await find(second.cid, id)
    expect(part).toMatchObject({ root: second.cid, composed: false })
    expect(await env.call('publications.open', { id: part?.id ?? 0, ip: '10.1.2.3' }, gateway)).toMatchObject({
      code: 0,
    })
  })

  it('stays as it was when files are renamed, moved or added, and is replaced by publishing it again', async () => {
    const person = await env.person()
    const { folder, first, cid } = await published(person)
    await env.call('folders.rename', { asset_cid: first.cid, asset_id: first.id, new_name: 'c.txt' }, person)
    await file(person, { folder, name: 'new.txt' })
    expect(await list(person)).toMatchObject([{ cid, files: 2, files_ended: 0 }])
    expect(await publish(folder, person)).toMatchObject({ code: 0 })
    await prepare()
    const [again] = await list(person)
    expect(again).toMatchObject({ state: 'ready', files: 3 })
    expect(again?.cid).not.toBe(cid)
    expect(await find(cid)).toEqual([])
    const [found] = await find(again?.cid ?? '')
    expect([...(await linksOf(found?.id ?? 0, again?.cid ?? '')).keys()]).toEqual(['c.txt', 'coast', 'new.txt'])
  })

  it('gives equal names other ones, as a directory of IPFS needs', async () => {
    const person = await env.person()
    const folder = await folderOf(person)
    const below = await folderOf(person, 'a.txt', folder)
    await file(person, { folder, name: 'a.txt' })
    await file(person, { folder: below, name: 'x' })
    await publish(folder, person)
    await prepare()
    const cid = (await list(person))[0]?.cid ?? ''
    expect([...(await linksOf((await find(cid))[0]?.id ?? 0, cid)).keys()]).toEqual(['a (2).txt', 'a.txt'])
  })

  it('serves no file any more that is deleted or replaced, and says how many', async () => {
    const person = await env.person()
    const { first, second, cid, id } = await published(person)
    await env.call('trash.put', { asset_ids: [first.id] }, person)
    const other = await file(await env.person())
    await env.db.run(sql`update assets set cid = ${other.cid} where id = ${second.id}`)
    for (const gone of [first, second]) expect(await find(gone.cid)).toEqual([])
    expect(await find(other.cid)).toEqual([])
    expect(await find(cid)).toMatchObject([{ id }])
    expect(await list(person)).toMatchObject([{ files: 2, files_ended: 2 }])
  })

  const endings: [string, (person: Person, folder: number) => Promise<unknown>][] = [
    ['when it is unpublished', (person, folder) => unpublish(folder, person)],
    [
      'when the folder is put into the trash',
      (person, folder) => env.call('folders.remove', { group_id: folder, force: true }, person),
    ],
    ['when the account is deleted', (person) => env.db.run(repository.erased(person.id)[0] ?? sql``)],
  ]
  it.each(endings)('ends with all of its files %s', async (_, end) => {
    const person = await env.person()
    const { folder, first, cid, id } = await published(person)
    await end(person, folder)
    for (const each of [cid, first.cid]) expect(await find(each)).toEqual([])
    expect(await readNodeOf(id, cid)).toMatchObject({ err: errors.notFound.err })
    expect(await list(person)).toEqual([])
    await deleteExpired(env.context, [{ expired: repository.expired }])
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) as count from publication_blocks where publication_id = ${id}`,
    )
    expect(count).toBe(0)
  })

  it('does not end what is published by itself, and the other way round', async () => {
    const person = await env.person()
    const { folder, first } = await published(person)
    expect(await env.call('publications.create', { cid: first.cid, asset_id: first.id }, person)).toMatchObject({
      code: 0,
    })
    await prepare()
    expect(await find(first.cid)).toHaveLength(2)
    await unpublish(folder, person)
    expect(await find(first.cid)).toHaveLength(1)
    await publish(folder, person)
    await prepare()
    await env.call('publications.remove', { cid: first.cid, asset_id: first.id }, person)
    expect(await find(first.cid)).toHaveLength(1)
  })

  it('is not served while the account is locked, nor a part that is blocked', async () => {
    const person = await env.person()
    const { first, second, cid, id } = await published(person)
    const at = new Date(env.clock.now())
    await env.db.transaction((tx) =>
      blockContent(tx, { cid: first.cid, category: 'malware', reason: 'x', by: 'op', at }),
    )
    expect(await find(first.cid, id)).toEqual([])
    expect(await find(second.cid, id)).toHaveLength(1)
    await env.db.run(sql`update users set locked_at = now() where id = ${person.id}`)
    for (const each of [cid, second.cid]) expect(await find(each)).toEqual([])
    expect(await readNodeOf(id, cid)).toMatchObject({ err: errors.notFound.err })
  })
})

describe('refuses', () => {
  it('folders of others, as unknown ones', async () => {
    const { folder } = await published(await env.person())
    const stranger = await env.person()
    expect(await publish(folder, stranger)).toMatchObject({ err: errors.folderUnknown.err })
    expect(await publish(2_000_000_000, stranger)).toMatchObject({ err: errors.folderUnknown.err })
    expect(await unpublish(folder, stranger)).toMatchObject({ err: errors.notFound.err })
    expect(await publish(0, stranger)).toMatchObject({ err: errors.folderUnknown.err })
  })

  it('folders without files, with too many, and with encrypted, unproven or blocked ones', async () => {
    const person = await env.person()
    const refusal = async (prepareIt: (folder: number) => Promise<unknown>) => {
      const folder = await folderOf(person)
      await prepareIt(folder)
      return (await publish(folder, person)).err
    }
    const one = (change: (id: number, cid: string) => Promise<unknown>) => async (folder: number) => {
      const { id, cid } = await file(person, { folder })
      await change(id, cid)
    }
    const at = new Date(env.clock.now())
    expect(await refusal(async () => {})).toBe(errors.folderUnpublishable.err)
    expect(
      await refusal(async (folder) => {
        await sampleFiles(env.db, person.id, PUBLISHED_FOLDER_FILES_MAX + 1)
        await env.db.run(sql`update assets set folder_id = ${folder} where user_id = ${person.id} and folder_id = 0`)
      }),
    ).toBe(errors.folderUnpublishable.err)
    expect(await refusal(one((id) => env.db.run(sql`update assets set encrypted = true where id = ${id}`)))).toBe(
      errors.publicationEncrypted.err,
    )
    expect(
      await refusal(one((id) => env.db.run(sql`update assets set restricted_to = ${['e_1']} where id = ${id}`))),
    ).toBe(errors.publicationUnproven.err)
    expect(
      await refusal(
        one((_, cid) =>
          env.db.transaction((tx) => blockContent(tx, { cid, category: 'malware', reason: 'x', by: 'op', at })),
        ),
      ),
    ).toBe(errors.contentBlocked.err)
  })

  it('keys of folders, keys that may only read, and everybody but gateways to read nodes', async () => {
    const person = await env.person()
    const { folder, cid, id } = await published(person)
    for (const key of [await env.key(person, 'admin', [folder]), await env.key(person, ['readFile'])])
      expect((await publish(folder, { token: key })).code).not.toBe(0)
    for (const as of [{}, person, { token: 'b'.repeat(64) }])
      expect((await env.call('publications.node', { id, digest: hex(cid) }, as)).code).not.toBe(0)
    const limited = { token: await env.key(person, 'admin', [folder]) }
    expect((await env.call('publications.list', { folder_id: folder }, limited)).data.list).toEqual([])
    const strange = cidOfDigest(DAG_PB, new Uint8Array(32)).toString()
    expect(await readNodeOf(id, strange)).toMatchObject({ err: errors.notFound.err })
  })
})
