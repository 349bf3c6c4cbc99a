import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Block, type Cid, cidOfDigest, createFileHasher, DAG_PB, parseCid } from '@tidenet/content'
import { dagPbBlock, fileData, folderOfOne } from '@tidenet/content/unixfs'
import { errors, PUBLICATIONS_MAX } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blockContent } from '../../network/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type SampleFile, sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'
import { preparePublications } from './prepare.ts'
import * as repository from './repository.ts'

const SECRET = 'a'.repeat(64)
const gateway = { token: SECRET }
let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
let disk: Server
/** Blocks that the node has, by CID. */
const blocks = new Map<string, Uint8Array>()
let read: string[] = []
beforeAll(async () => {
  env = await setup({ s3GatewaySecret: SECRET, ipfsUrl: 'https://ipfs.test' })
  disk = createServer((request, response) => {
    const cid = /^\/ipfs\/([^/?]+)/.exec(request.url ?? '')?.[1] ?? ''
    read.push(cid)
    const bytes = blocks.get(cid)
    response.writeHead(bytes ? 200 : 404).end(bytes)
  })
  await new Promise<void>((resolve) => disk.listen(0, '127.0.0.1', resolve))
  node = await env.node({ url: `http://127.0.0.1:${(disk.address() as AddressInfo).port}` })
})
afterAll(async () => {
  await env.close()
  disk.close()
})
afterEach(() => {
  read = []
})

const file = (person: Person, more: Parameters<typeof sampleFile>[2] = {}) =>
  sampleFile(env.db, person.id, { nodes: [node], ...more })
const publish = ({ cid, id }: SampleFile, as: { token: string }) =>
  env.call('publications.create', { cid, asset_id: id }, as)
const unpublish = ({ cid, id }: SampleFile, as: { token: string }) =>
  env.call('publications.remove', { cid, asset_id: id }, as)
const list = async (as: { token: string }) => (await env.call('publications.list', {}, as)).data.list
const prepare = () => preparePublications(env.context, new AbortController().signal)
const hex = (cid: string | Cid) =>
  Buffer.from((typeof cid === 'string' ? parseCid(cid) : cid).multihash.digest).toString('hex')
const find = async (cid: string | Cid) => (await env.call('publications.find', { digest: hex(cid) }, gateway)).data.list
const open = (id: number, ip = '10.1.2.3') => env.call('publications.open', { id, ip }, gateway)

/** A file that everybody can read. */
async function published(person: Person, more: Parameters<typeof sampleFile>[2] = {}) {
  const item = await file(person, more)
  expect(await publish(item, person)).toMatchObject({ code: 0, data: { state: 'preparing' } })
  await prepare()
  return item
}

/** A folder with one file of several blocks, whose inner nodes the node has. */
async function sampleFolder(person: Person, seed: number) {
  const hasher = createFileHasher()
  await hasher.update(new Uint8Array(2 ** 20).map((_, index) => (index * seed) % 251))
  const hashed = await hasher.finish()
  for (const { cid, bytes } of hashed.inner) blocks.set(cid.toString(), bytes)
  const root = hashed.inner.at(-1) as Block
  const item = await folderOf(person, 'a.bin', root, 5)
  const leaves = [...new Set(hashed.inner.flatMap(({ bytes }) => linksOf(bytes)))]
  return { item, file: hashed.cid, leaves }
}

/** A folder that is one item, of so many blocks, with one file. */
async function folderOf(person: Person, name: string, root: Block, count: number) {
  const folder = await folderOfOne(name, root.cid, 1_000_000)
  for (const { cid, bytes } of [folder, root]) blocks.set(cid.toString(), bytes)
  const at = new Date()
  const cid = folder.cid.toString()
  await env.db.run(
    sql`insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, ${`1220${hex(cid)}`}, 'folder', 10, ${count}, ${at}) on conflict do nothing`,
  )
  await env.db.run(
    sql`insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${at}) on conflict do nothing`,
  )
  const { id } = await env.db.one<{ id: number }>(sql`
    insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at)
    values (${person.id}, 0, ${cid}, 'folder', 'Pictures', 10, ${at}, ${new Date(at.getTime() + 1e10)}) returning id`)
  return { cid, id }
}
/** Digests that a node of a file names. */
const linksOf = (bytes: Uint8Array): string[] =>
  Array.from({ length: 4 }, (_, at) =>
    Buffer.from(bytes).indexOf(Buffer.from([0x01, 0x55, 0x12, 0x20]), at === 0 ? 0 : at),
  )
    .filter((at) => at >= 0)
    .map((at) => Buffer.from(bytes.subarray(at + 4, at + 36)).toString('hex'))

describe('publishing', () => {
  it('makes a file readable for everybody, by its CID, once its blocks are known', async () => {
    const person = await env.person()
    const item = await file(person, { name: 'Größe 1.txt' })
    expect(await find(item.cid)).toEqual([])
    expect(await publish(item, person)).toMatchObject({ code: 0, data: { cid: item.cid, state: 'preparing' } })
    expect(await find(item.cid)).toEqual([])
    await prepare()
    expect(await list(person)).toMatchObject([
      {
        cid: item.cid,
        asset_id: item.id,
        state: 'ready',
        url: `https://ipfs.test/ipfs/${item.cid}?filename=Gr%C3%B6%C3%9Fe%201.txt`,
      },
    ])
    expect(await find(item.cid)).toMatchObject([{ root: item.cid, kind: 'file', blocks: 1, inner: false }])
  })

  it('reads inner nodes only, and finds every block below the root', async () => {
    const person = await env.person()
    const { item, file: inside, leaves } = await sampleFolder(person, 3)
    await publish(item, person)
    await prepare()
    expect(await list(person)).toMatchObject([
      { state: 'ready', kind: 'folder', url: `https://ipfs.test/ipfs/${item.cid}/` },
    ])
    expect(new Set(read)).toEqual(new Set([item.cid, inside.toString()]))
    expect(await find(inside)).toMatchObject([{ root: item.cid, inner: true }])
    for (const leaf of leaves) {
      const { data } = await env.call('publications.find', { digest: leaf }, gateway)
      expect(data.list).toMatchObject([{ root: item.cid, inner: false }])
    }
  })

  it('gives gateways the nodes, and counts what they read as download traffic of the publisher', async () => {
    const person = await env.person()
    const item = await published(person)
    const [found] = await find(item.cid)
    const { data } = await open(found?.id ?? 0)
    expect(data.sources).toMatchObject({ asset_cid: item.cid, node_ids: [node.id] })
    const trace = await env.db.one(sql`select account, user_id, kind from traces where id = ${data.sources.trace_id}`)
    expect(trace).toMatchObject({ account: person.uid, user_id: null, kind: 'download' })
  })

  it('reads no bytes of a file whose leaves are nodes themselves', async () => {
    const person = await env.person()
    const size = 262_144
    const wrapped = (seed: number) => {
      const bytes = Buffer.alloc(size, seed)
      return dagPbBlock(
        [],
        Buffer.concat([Buffer.from([8, 2, 18, 128, 128, 16]), bytes, Buffer.from([24, 128, 128, 16])]),
      )
    }
    const leaves = [await wrapped(21), await wrapped(22)]
    const links = leaves.map(({ cid, bytes }) => ({ cidBytes: cid.bytes, name: '', cumulativeSize: bytes.length }))
    const inside = await dagPbBlock(links, fileData([size, size]))
    const item = await folderOf(person, 'old.bin', inside, 4)
    await publish(item, person)
    await prepare()
    expect(await list(person)).toMatchObject([{ state: 'ready' }])
    expect(new Set(read)).toEqual(new Set([item.cid, inside.cid.toString()]))
    for (const { cid } of leaves) expect(await find(cid)).toMatchObject([{ root: item.cid, inner: true }])
  })

  it('is repeated without effect', async () => {
    const person = await env.person()
    const item = await published(person)
    expect(await publish(item, person)).toMatchObject({ code: 0, data: { state: 'ready' } })
    expect(await list(person)).toHaveLength(1)
  })

  it('tries again what failed, and waits for nodes that are away', async () => {
    const person = await env.person()
    const { item, file: inside } = await sampleFolder(person, 7)
    const kept = blocks.get(inside.toString()) ?? new Uint8Array()
    blocks.set(inside.toString(), new Uint8Array(10))
    await publish(item, person)
    await prepare()
    expect(await list(person)).toMatchObject([{ state: 'preparing' }])
    expect(await find(item.cid)).toEqual([])
    blocks.set(inside.toString(), kept)
    env.pass(600_000)
    await prepare()
    expect(await list(person)).toMatchObject([{ state: 'ready' }])
  })

  it('is in the audit log, as is its end', async () => {
    const person = await env.person()
    const item = await published(person)
    await unpublish(item, person)
    const rows = await env.db.rows<{ action: string }>(
      sql`select action from audit_log where actor = ${person.uid} and action like 'publication.%' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['publication.create', 'publication.remove'])
  })
})

describe('a publication ends', () => {
  const endings: [string, (person: Person, item: SampleFile) => Promise<unknown>][] = [
    ['when it is unpublished', (person, item) => unpublish(item, person)],
    ['when the file is put into the trash', (person, item) => env.call('trash.put', { asset_ids: [item.id] }, person)],
    [
      'when the file is deleted',
      (person, { cid }) => env.call('assets.remove', { asset_cid: cid, trash: false }, person),
    ],
    [
      'when the file gets other content',
      async (_, { id }) => {
        const other = await file(await env.person())
        await env.db.run(sql`update assets set cid = ${other.cid} where id = ${id}`)
      },
    ],
    ['when the account is deleted', (person) => env.db.run(repository.erased(person.id)[0] ?? sql``)],
  ]
  it.each(endings)('%s', async (_, end) => {
    const person = await env.person()
    const item = await published(person)
    const [found] = await find(item.cid)
    await end(person, item)
    expect(await find(item.cid)).toEqual([])
    expect(await open(found?.id ?? 0)).toMatchObject({ err: errors.notFound.err })
    expect(await list(person)).toEqual([])
  })

  const pauses: [string, (person: Person, item: SampleFile) => Promise<unknown>][] = [
    [
      'while the account is locked',
      (person) => env.db.run(sql`update users set locked_at = now() where id = ${person.id}`),
    ],
    [
      'while the account waits for its deletion',
      (person) => env.db.run(sql`update users set closing_at = now() where id = ${person.id}`),
    ],
    [
      'once the file has expired',
      (_, { id }) => env.db.run(sql`update assets set expires_at = ${new Date(0)} where id = ${id}`),
    ],
    [
      'once it turns out that only an edge says that the account has the bytes',
      (_, { id }) => env.db.run(sql`update assets set restricted_to = '{}' where id = ${id}`),
    ],
  ]
  it.each(pauses)('is not served %s', async (_, pause) => {
    const person = await env.person()
    const item = await published(person)
    const [found] = await find(item.cid)
    await pause(person, item)
    expect(await find(item.cid)).toEqual([])
    expect(await open(found?.id ?? 0)).toMatchObject({ err: errors.notFound.err })
  })

  it('when its content is blocked, and so is a blocked block of a folder', async () => {
    const person = await env.person()
    const { item, file: inside } = await sampleFolder(person, 11)
    await publish(item, person)
    await prepare()
    const block = (cid: string) =>
      env.db.transaction((tx) =>
        blockContent(tx, { cid, category: 'malware', reason: 'x', by: 'op', at: new Date(env.clock.now()) }),
      )
    await block(inside.toString())
    expect(await find(inside)).toEqual([])
    expect(await find(item.cid)).toHaveLength(1)
    const [found] = await find(item.cid)
    await block(item.cid)
    expect(await find(item.cid)).toEqual([])
    expect(await open(found?.id ?? 0)).toMatchObject({ code: -1 })
  })

  it('and its blocks are forgotten', async () => {
    const person = await env.person()
    const item = await published(person)
    const count = () =>
      env.db.one<{ count: number }>(sql`
      select count(*) as count from publication_blocks where digest = ${Buffer.from(hex(item.cid), 'hex').subarray(0, repository.DIGEST_BYTES)}`)
    expect((await count()).count).toBe(1)
    await unpublish(item, person)
    await deleteExpired(env.context, [{ expired: repository.expired }])
    expect((await count()).count).toBe(0)
  })
})

describe('nobody else’s content is served', () => {
  it('a private file, though another account publishes a folder beside it', async () => {
    const [owner, publisher] = [await env.person(), await env.person()]
    const secret = await file(owner)
    await published(publisher)
    expect(await find(secret.cid)).toEqual([])
  })

  it('equal content of several accounts, only through those that publish it', async () => {
    const [owner, publisher] = [await env.person(), await env.person()]
    await file(owner, { text: 'the same bytes' })
    const item = await published(publisher, { text: 'the same bytes' })
    const found = await find(item.cid)
    expect(found).toHaveLength(1)
    const { data } = await open(found[0]?.id ?? 0)
    const { account } = await env.db.one<{ account: string }>(
      sql`select account from traces where id = ${data.sources.trace_id}`,
    )
    expect(account).toBe(publisher.uid)
    await unpublish(item, publisher)
    expect(await find(item.cid)).toEqual([])
  })

  it('a block through the next publisher, when the traffic of one is used up', async () => {
    const [poor, rich] = [await env.person({ downloadQuota: 0 }), await env.person()]
    const item = await published(poor, { text: 'published twice' })
    await published(rich, { text: 'published twice' })
    const [first, second] = await find(item.cid)
    expect(await open(first?.id ?? 0)).toMatchObject({ err: errors.downloadQuotaExceeded.err })
    expect(await open(second?.id ?? 0)).toMatchObject({ code: 0 })
  })
})

describe('a block that many publish', () => {
  it('is found through others while the accounts that published it first are locked', async () => {
    const text = 'published by locked accounts'
    for (let index = 0; index < 7; index++) {
      const locked = await env.person()
      await published(locked, { text })
      await env.db.run(sql`update users set locked_at = now() where id = ${locked.id}`)
    }
    const publisher = await env.person()
    const item = await published(publisher, { text })
    const found = await find(item.cid)
    expect(found).toHaveLength(1)
    expect(await open(found[0]?.id ?? 0)).toMatchObject({ code: 0 })
  })
})

describe('refuses', () => {
  it('publishing in a loop, by an account and of one content', async () => {
    const person = await env.person()
    const item = await file(person)
    for (let times = 0; times < 20; times++) {
      expect(await publish(item, person)).toMatchObject({ code: 0 })
      // Repeating it begins nothing.
      expect(await publish(item, person)).toMatchObject({ code: 0 })
      await unpublish(item, person)
    }
    expect(await publish(item, person)).toMatchObject({ code: -1, err: errors.tooManyRequests.err })
    expect(await publish(await file(person), person)).toMatchObject({ code: 0 })
  })

  it('files of others, as it refuses unknown ones', async () => {
    const stranger = await env.person()
    const item = await file(await env.person())
    const unknown = { cid: cidOfDigest(DAG_PB, new Uint8Array(32)).toString(), id: 1 }
    const refused = await publish(item, stranger)
    expect(refused).toMatchObject({ code: -1, err: errors.assetUnknown.err })
    expect((await publish(unknown, stranger)).msg).toBe(refused.msg)
    expect(await unpublish(item, stranger)).toMatchObject({ err: errors.assetUnknown.err })
  })

  it('encrypted, unproven, expired and blocked files', async () => {
    const person = await env.person()
    const refusal = async (change: (item: SampleFile) => Promise<unknown>) => {
      const item = await file(person)
      await change(item)
      return (await publish(item, person)).err
    }
    const set =
      (column: 'encrypted' | 'restricted_to' | 'expires_at') =>
      ({ id }: SampleFile) =>
        env.db.run(
          column === 'encrypted'
            ? sql`update assets set encrypted = true where id = ${id}`
            : column === 'restricted_to'
              ? sql`update assets set restricted_to = ${['e_1']} where id = ${id}`
              : sql`update assets set expires_at = ${new Date(0)} where id = ${id}`,
        )
    expect(await refusal(set('encrypted'))).toBe(errors.publicationEncrypted.err)
    expect(await refusal(set('restricted_to'))).toBe(errors.publicationUnproven.err)
    expect(await refusal(set('expires_at'))).toBe(errors.fileExpired.err)
    const at = new Date(env.clock.now())
    expect(
      await refusal(({ cid }) =>
        env.db.transaction((tx) => blockContent(tx, { cid, category: 'malware', reason: 'x', by: 'op', at })),
      ),
    ).toBe(errors.contentBlocked.err)
  })

  it('more items than an account can publish', async () => {
    const person = await env.person()
    await sampleFiles(env.db, person.id, PUBLICATIONS_MAX)
    await env.db.run(sql`
      insert into publications (user_id, asset_id, cid, state, created_at, next_at)
      select user_id, id, cid, 'ready', now(), now() from assets where user_id = ${person.id}`)
    expect(await publish(await file(person), person)).toMatchObject({ err: errors.tooManyPublications.err })
  })

  it('keys that are limited to other folders, or may only read', async () => {
    const person = await env.person()
    const { ID: folder } = (await env.call('folders.create', { name: 'mine' }, person)).data.group
    const [inside, outside] = [await file(person, { folder }), await file(person)]
    const [key, reader] = [await env.key(person, 'admin', [folder]), await env.key(person, ['readFile'])]
    expect(await publish(outside, { token: key })).toMatchObject({ err: errors.assetUnknown.err })
    expect(await publish(inside, { token: key })).toMatchObject({ code: 0 })
    await publish(outside, person)
    expect((await list({ token: key })).map(({ cid }) => cid)).toEqual([inside.cid])
    expect(await publish(inside, { token: reader })).toMatchObject({ code: -1 })
    expect(await unpublish(outside, { token: key })).toMatchObject({ err: errors.assetUnknown.err })
  })

  it('everybody but the operator’s gateways to look for blocks', async () => {
    const person = await env.person()
    const item = await published(person)
    const [found] = await find(item.cid)
    for (const as of [{}, person, { token: 'b'.repeat(64) }, { token: await env.key(person, 'admin') }]) {
      expect((await env.call('publications.find', { digest: hex(item.cid) }, as)).code).not.toBe(0)
      expect((await env.call('publications.open', { id: found?.id ?? 0, ip: '' }, as)).code).not.toBe(0)
    }
  })
})
