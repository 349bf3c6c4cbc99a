import { randomBytes } from 'node:crypto'
import { cidOfDigest, cidText, parseCid, RAW } from '@tidenet/content/cid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { preparePublications } from '../../storage/publications/prepare.ts'
import { DIGEST_BYTES } from '../../storage/publications/repository.ts'
import { pageOfRoots } from '../../storage/publications/roots.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { err, reason, sampleOperator } from './sample-operator.fixture.ts'

const SECRET = 'a'.repeat(64)
const gateway = { token: SECRET }
let env: TestEnv
let operator: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup({ s3GatewaySecret: SECRET, ipfsUrl: 'https://ipfs.test' })
  operator = await env.person({ role: 'operator' })
  node = await env.node()
})
afterAll(() => env?.close())
const { logged } = sampleOperator(
  () => env,
  () => operator,
)

const prepare = () => preparePublications(env.context, new AbortController().signal)
const listed = async (input: { cid?: string; after?: string; size?: number } = {}) =>
  (await env.call('admin.published', input, operator)).data
const hex = (cid: string) => Buffer.from(parseCid(cid).multihash.digest).toString('hex')
const served = async (cid: string) =>
  (await env.call('publications.find', { digest: hex(cid) }, gateway)).data.list.map(({ root }) => root)
const block = (cid: string) => env.call('admin.block', { cid, category: 'copyright', reason }, operator)
const blockedFiles = async (person: Person) => (await env.call('abuse.blockedFiles', {}, person)).data.list

async function publishedFile(person: Person, name = 'a.txt') {
  const item = await sampleFile(env.db, person.id, { nodes: [node], name })
  await env.call('publications.create', { cid: item.cid, asset_id: item.id }, person)
  await prepare()
  return item
}
async function publishedFolder(person: Person) {
  const folder_id = (await env.call('folders.create', { name: 'photos' }, person)).data.group.ID
  const file = await sampleFile(env.db, person.id, { nodes: [node], folder: folder_id, name: 'b.txt' })
  await env.call('publications.createFolder', { folder_id }, person)
  await prepare()
  const [publication] = (await env.call('publications.list', {}, person)).data.list
  return { cid: publication?.cid ?? '', file }
}

describe('what is published', () => {
  it('is listed for operators, of all accounts and the newest first, page by page', async () => {
    const [one, other] = [await env.person(), await env.person()]
    const file = await publishedFile(one)
    const folder = await publishedFolder(other)
    const first = await listed({ size: 1 })
    expect(first.list).toMatchObject([
      { cid: folder.cid, kind: 'folder', name: 'photos', uid: other.uid, state: 'ready', blocked: false },
    ])
    const second = await listed({ size: 1, after: first.next ?? '' })
    expect(second.list).toMatchObject([{ cid: file.cid, kind: 'file', name: 'a.txt', uid: one.uid }])
    expect(first.list[0]?.size).toBeGreaterThan(0)
    expect(Date.parse(second.list[0]?.published_at ?? '')).toBeGreaterThan(env.clock.now() - 60_000)
    await env.call('publications.remove', { cid: file.cid, asset_id: file.id }, one)
    expect((await listed({ cid: file.cid })).list).toEqual([])
  })

  it('is found by its CID, in every form, by an address that names it, and by the CID of anything in it', async () => {
    const [one, other] = [await env.person(), await env.person()]
    const file = await publishedFile(one)
    const folder = await publishedFolder(other)
    const cidsOf = async (cid: string) => (await listed({ cid })).list.map((each) => each.cid)
    expect(await cidsOf(file.cid)).toEqual([file.cid])
    expect(await cidsOf(folder.cid)).toEqual([folder.cid])
    expect(await cidsOf(String(parseCid(folder.cid).toV0()))).toEqual([folder.cid])
    expect(await cidsOf(folder.file.cid)).toEqual([folder.cid])
    const addresses = [
      `https://ipfs.test/ipfs/${folder.cid}/b.txt?download=true`,
      `https://${folder.cid}.ipfs.test/b.txt`,
      `ipfs://${folder.cid}/b.txt `,
    ]
    for (const address of addresses)
      expect(await listed({ cid: address })).toMatchObject({ cid: folder.cid, list: [{ cid: folder.cid }] })
    const leaf = cidText(cidOfDigest(RAW, randomBytes(32)))
    expect(await listed({ cid: leaf })).toMatchObject({ cid: leaf, list: [] })
    await env.db.run(sql`
      insert into publication_blocks (digest, publication_id, inner_node)
      select ${Buffer.from(parseCid(leaf).multihash.digest.subarray(0, DIGEST_BYTES))}, id, false from publications where cid = ${file.cid}`)
    expect(await cidsOf(leaf)).toEqual([file.cid])
    for (const bad of ['no cid', 'https://ipfs.test/', 'https://ipfs.test/ipfs/bafy'])
      expect(await env.call('admin.published', { cid: bad }, operator)).toMatchObject(err('badCid'))
  })

  it('costs what a page costs, however many parts folders have', { tags: ['long'] }, async () => {
    const person = await env.person()
    const { id, cid } = await publishedFile(person)
    await env.db.run(sql`
      with made as (
        insert into assets (user_id, folder_id, cid, kind, name, size, areas, created_at, expires_at)
        select user_id, folder_id, cid, kind, 'p' || n, 1, areas, created_at, expires_at
        from assets, generate_series(1, 20000) n where id = ${id} returning id, user_id, created_at
      )
      insert into publications (user_id, asset_id, part_of, cid, state, created_at, next_at)
      select user_id, id, (select max(id) from publications where part_of is null), 'x' || id, 'ready', created_at, created_at from made`)
    await env.db.run(sql`analyze publications`)
    for (const asked of [undefined, cid] as const)
      await env.db.transaction(async (tx) => {
        const read = async () =>
          (
            await tx.one<{ rows: number }>(sql`
              select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = 'publications'`)
          ).rows
        const before = await read()
        const rows = await pageOfRoots(tx, {
          cid: asked === undefined ? undefined : parseCid(asked),
          after: undefined,
          limit: 2,
        })
        expect(rows[0]?.cid).toBe(cid)
        expect((await read()) - before).toBeLessThan(20)
      })
  })
})

describe('what is taken down', () => {
  it('is not found by the gateways any more, is in the audit log, and its owner hears why', async () => {
    const person = await env.person()
    const { cid } = await publishedFile(person)
    expect(await served(cid)).toEqual([cid])
    expect((await block(cid)).code).toBe(0)
    expect(await served(cid)).toEqual([])
    expect((await listed({ cid })).list).toMatchObject([{ blocked: true }])
    await finishJobs(env.context, features)
    expect(await blockedFiles(person)).toMatchObject([{ cid, name: 'a.txt', category: 'copyright' }])
    expect(await logged(`content:${cid}`)).toMatchObject([{ action: 'content.block', actor: operator.uid }])
  })

  it('as a folder of single files takes these along, unless they are published by themselves', async () => {
    const person = await env.person()
    const { cid, file } = await publishedFolder(person)
    const [part] = (await env.call('publications.find', { digest: hex(file.cid) }, gateway)).data.list
    const open = () => env.call('publications.open', { id: part?.id ?? 0, ip: '10.1.2.3' }, gateway)
    expect((await open()).code).toBe(0)
    expect((await block(cid)).code).toBe(0)
    for (const each of [cid, file.cid]) expect(await served(each)).toEqual([])
    expect(await open()).toMatchObject(err('contentBlocked'))
    await finishJobs(env.context, features)
    expect(await blockedFiles(person)).toMatchObject([{ cid, name: 'photos' }])
    await env.call('publications.create', { cid: file.cid, asset_id: file.id }, person)
    await prepare()
    expect(await served(file.cid)).toEqual([file.cid])
  })

  it('is so by operators only', async () => {
    const person = await env.person()
    expect(await env.call('admin.published', {}, person)).toMatchObject({ code: -1 })
    expect(await env.call('admin.published', {}, gateway)).toMatchObject({ code: 401 })
  })
})
