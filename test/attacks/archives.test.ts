import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  dockerArchive,
  file,
  layoutFiles,
  tar,
} from '../../apps/server/src/compute/clusters/archives/sample-archives.fixture.ts'
import { reconcileWorkload } from '../../apps/server/src/compute/workspaces/reconcile.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
  small,
  type Tenant,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile, sampleFiles } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { hostileNode } from './hostile-node.ts'

/** Image archives from the storage of an account: who can use them, and what nodes and archives can do. */

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
let answer: RequestListener
let node: Awaited<ReturnType<typeof hostileNode>>
let archive: Buffer
beforeAll(async () => {
  env = await setup()
  archive = await dockerArchive({ layers: [await tar([file('bin/tool', 'hello', 0o755)])] })
  node = await hostileNode(env, { kind: 'candidate', join_token: 'join' })
  await node.listen((request, response) => {
    if (request.url?.startsWith('/health')) return false
    response.on('error', () => {})
    answer(request, response)
    return true
  })
  await env.db.run(sql`update nodes set reachable = true where id = ${node.id}`)
})
beforeEach(() => {
  sample = sampleClusters(env)
  answer = (_, response) => void response.end(archive)
})
afterAll(async () => {
  await node.close()
  await env.close()
})

/** A tenant whose folder `images/old` holds the archive, with a key to `images`. */
async function owner(): Promise<{ one: Tenant; key: string; cid: string; asset: number }> {
  const one = await sampleTenant(env)
  await shrinkMachine(env, one)
  const { token } = one.person
  const folderIn = async (parent: number, name: string) =>
    (await env.call('folders.create', { name, parent }, { token })).data.group.ID
  const images = await folderIn(0, 'images')
  const { key } = (await env.call('apiKeys.create', { key_name: randomUUID(), group_id: images }, { token })).data
  const content = { text: archive.toString('latin1'), size: archive.length, nodes: [node], at: new Date() }
  const folder = await folderIn(images, 'old')
  const { cid, id: asset } = await sampleFile(env.db, one.person.id, { ...content, folder, name: 'tool.tar' })
  return { one, key, cid, asset }
}
const shown = async (one: Tenant, id: string) =>
  (await env.call('clusters.workspaces', {}, one)).data.list[0]?.workloads.find((each) => each.id === id)

describe('an image archive in the storage', () => {
  it('runs, found by its path or its CID, and without a registry', async () => {
    const { one, key, cid } = await owner()
    for (const name of ['old/tool.tar', cid]) {
      const { data } = await deploySample(env, one, { cpu: 0.2, memory: 64, storage: 1, archive: { key, file: name } })
      expect(await shown(one, data.id)).toMatchObject({ state: 'running', image: `archive:${cid}`, template: '' })
      expect(sample.control.loaded.get(data.id)?.includes('hello')).toBe(true)
    }
  })

  it('replaces the image of a program, and an earlier version replaces the archive', async () => {
    const { one, key, cid } = await owner()
    const { id } = (await deploySample(env, one, { image: 'nginx' })).data
    await env.call('clusters.change', { id, archive: { key, file: cid } }, one)
    await reconcileWorkload(env.context, id)
    expect(await shown(one, id)).toMatchObject({ state: 'running', image: `archive:${cid}` })
    await env.call('clusters.rollback', { id, revision: 1 }, one)
    await reconcileWorkload(env.context, id)
    expect((await shown(one, id))?.image).toBe('docker.io/library/nginx:latest')
    await env.call('clusters.rollback', { id, revision: 2 }, one)
    await reconcileWorkload(env.context, id)
    expect((await shown(one, id))?.image).toBe(`archive:${cid}`)
  })

  it('that is no image fails with the reason, and uses no resources', async () => {
    const { one, key, asset } = await owner()
    const other = await tar([file('readme', 'x'.repeat(archive.length))])
    answer = (_, response) => void response.end(other)
    const content = { text: other.toString('latin1'), size: other.length, nodes: [node], at: new Date() }
    const row = await env.db.one<{ folder_id: number }>(sql`select folder_id from assets where id = ${asset}`)
    await sampleFile(env.db, one.person.id, { ...content, folder: row.folder_id, name: 'other.tar' })
    const { data } = await deploySample(env, one, { archive: { key, file: 'old/other.tar' } })
    expect(await shown(one, data.id)).toMatchObject({ state: 'failed', failure: 'archive' })
    expect((await shown(one, data.id))?.note).not.toBe('')
    expect(sample.control.loaded.size).toBe(0)
  })
})

/** A tenant whose folder `images/mine` holds an image in OCI layout, with a key to `images`. */
async function layoutOwner(layers: readonly Buffer[]) {
  const { one, key, asset } = await owner()
  const { token } = one.person
  const row = await env.db.one<{ parent_id: number }>(
    sql`select parent_id from folders where id = (select folder_id from assets where id = ${asset})`,
  )
  const folderIn = async (parent: number, name: string) =>
    (await env.call('folders.create', { name, parent }, { token })).data.group.ID
  const mine = await folderIn(row.parent_id, 'mine')
  const blobs = await folderIn(await folderIn(mine, 'blobs'), 'sha256')
  const served = new Map<string, Buffer>()
  const add = async (folder: number, name: string, bytes: Buffer) => {
    const content = { text: bytes.toString('latin1'), size: bytes.length, nodes: [node], at: new Date() }
    const added = await sampleFile(env.db, one.person.id, { ...content, folder, name })
    served.set(added.cid, bytes)
    return added
  }
  for (const [path, bytes] of layoutFiles({ layers }))
    await add(path.startsWith('blobs/') ? blobs : mine, path.split('/').at(-1) ?? '', bytes)
  answer = (request, response) =>
    void response.end([...served].find(([cid]) => request.url?.includes(cid))?.[1] ?? Buffer.alloc(0))
  return { one, key, mine, add, served }
}
const hello = () => tar([file('bin/tool', 'hello', 0o755)])

describe('a folder of the storage with an image in OCI layout', () => {
  it('runs, without a registry and without an archive', async () => {
    const { one, key, mine } = await layoutOwner([await hello()])
    const { data } = await deploySample(env, one, { archive: { key, file: 'mine' } })
    expect(await shown(one, data.id)).toMatchObject({
      state: 'running',
      image: expect.stringMatching(new RegExp(`^layout:${mine}:[a-f0-9]{64}$`)),
    })
    expect(sample.control.loaded.get(data.id)?.includes('hello')).toBe(true)
  })

  it('is the one that was chosen: other files in it do not matter, a changed image is not taken', async () => {
    const { one, key, mine, add } = await layoutOwner([await hello()])
    await add(mine, 'readme.txt', Buffer.from('about this image'))
    await sampleFiles(env.db, one.person.id, 10_001, mine)
    const { id } = (await deploySample(env, one, { archive: { key, file: 'mine' } })).data
    await env.call('clusters.change', { id, image: 'nginx' }, one)
    await reconcileWorkload(env.context, id)
    expect((await env.call('clusters.rollback', { id, revision: 1 }, one)).code).toBe(0)
    await env.call('clusters.change', { id, image: 'nginx' }, one)
    await env.db.run(sql`update assets set name = 'old.json' where name = 'index.json' and folder_id = ${mine}`)
    await add(mine, 'index.json', Buffer.from('{"manifests":[]}'))
    expect((await env.call('clusters.rollback', { id, revision: 1 }, one)).err).toBe(errors.archiveFile.err)
  })

  it('is refused with the reason if a blob does not have its hash or its size, and uses no resources', async () => {
    for (const change of [(bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(512)]), () => Buffer.alloc(900, 7)]) {
      const { one, key } = await layoutOwner([await hello()])
      // The owner stored something else under the name of the layer.
      const layer = await env.db.one<{ id: number; cid: string; folder_id: number; name: string }>(sql`
        select id, cid, folder_id, name from assets where user_id = ${one.person.id} and length(name) = 64 order by size desc limit 1`)
      await env.db.run(sql`delete from assets where id = ${layer.id}`)
      const before = answer
      const bytes = change(await hello())
      const content = { text: bytes.toString('latin1'), size: bytes.length, nodes: [node], at: new Date() }
      const stored = { ...content, folder: layer.folder_id, name: layer.name }
      const { cid } = await sampleFile(env.db, one.person.id, stored)
      answer = (request, response) =>
        request.url?.includes(cid) ? void response.end(bytes) : before(request, response)
      const { data } = await deploySample(env, one, { archive: { key, file: 'mine' } })
      expect(await shown(one, data.id)).toMatchObject({ state: 'failed', failure: 'archive' })
      expect(sample.control.loaded.size).toBe(0)
    }
  })

  it('is refused without one of its files, with two of one name, encrypted, or to strangers', async () => {
    const { one, key, mine, add } = await layoutOwner([await hello()])
    const stranger = await owner()
    const errOf = async (given = key, tenant = one, path = 'mine') =>
      (await deploySample(env, tenant, { archive: { key: given, file: path } })).err
    for (const path of ['mine/blobs', 'mine/none', '..', '../images/mine', '.', 'mine/..'])
      expect(await errOf(key, one, path)).toBe(errors.archiveFile.err)
    expect(await errOf(key, stranger.one)).toBe(errors.folderKey.err)
    expect(await errOf(stranger.key, stranger.one)).toBe(errors.archiveFile.err)
    await env.db.run(sql`update assets set encrypted = true where folder_id = ${mine} and name = 'index.json'`)
    expect(await errOf()).toBe(errors.archiveFile.err)
    await env.db.run(sql`update assets set encrypted = false where folder_id = ${mine}`)
    const second = await add(mine, 'index.json', Buffer.from('{"manifests":[]}'))
    expect(await errOf()).toBe(errors.archiveFile.err)
    await env.db.run(sql`delete from assets where id = ${second.id}`)
    const { blobs } = await env.db.one<{ blobs: number }>(
      sql`select folder_id as blobs from assets where user_id = ${one.person.id} and length(name) = 64 limit 1`,
    )
    await sampleFiles(env.db, one.person.id, 10_001, blobs)
    expect(await errOf()).toBe(errors.archiveFile.err)
    await env.db.run(sql`delete from assets where folder_id = ${blobs} and name like 'file %'`)
    await env.db.run(sql`delete from assets where folder_id = ${mine} and name = 'oci-layout'`)
    expect(await errOf()).toBe(errors.archiveFile.err)
  })
})

describe('a node that serves an archive', () => {
  it('cannot change it', async () => {
    const { one, key, cid } = await owner()
    const changed = Buffer.from(archive)
    changed.write('HELLO', archive.indexOf('hello'))
    answer = (_, response) => void response.end(changed)
    await expect(deploySample(env, one, { archive: { key, file: cid } })).rejects.toThrow()
    expect(sample.control.loaded.size).toBe(0)
    answer = (_, response) => void response.end(archive)
    const id = (await env.call('clusters.workspaces', {}, one)).data.list[0]?.workloads.at(-1)?.id ?? ''
    await reconcileWorkload(env.context, id)
    expect((await shown(one, id))?.state).toBe('running')
  })
})

describe('an archive is refused', () => {
  it('to other accounts, with their key or with the CID alone', async () => {
    const [{ key, cid }, stranger] = [await owner(), await owner()]
    const deploy = (archiveInput: object) =>
      env.call(
        'clusters.deploy',
        { workspace: stranger.one.space, name: 'web', ...small, archive: archiveInput as never },
        stranger.one,
      )
    expect((await deploy({ key, file: cid })).err).toBe(errors.folderKey.err)
    await env.db.run(sql`delete from assets where id = ${stranger.asset}`)
    expect((await deploy({ key: stranger.key, file: cid })).err).toBe(errors.archiveFile.err)
  })

  it('if it is encrypted, outside of the folder, in a folder of that name elsewhere, or beside an image', async () => {
    const { one, key, cid, asset } = await owner()
    const deploy = async (more: Record<string, unknown>) => (await deploySample(env, one, more)).err
    for (const name of ['tool.tar', 'new/tool.tar', 'images/old/tool.tar', '../images/old/tool.tar', 'old'])
      expect(await deploy({ archive: { key, file: name } })).toBe(errors.archiveFile.err)
    expect(await deploy({ archive: { key, file: cid }, image: 'nginx' })).toBe(errors.templateAndImage.err)
    // The name of another account's image is that of an unknown image of Docker Hub.
    await deploy({ image: `archive:${cid}` })
    expect([...sample.workloads.values()].at(-1)?.spec.image).toBe(`docker.io/library/archive:${cid}`)
    await env.db.run(sql`update assets set encrypted = true where id = ${asset}`)
    expect(await deploy({ archive: { key, file: cid } })).toBe(errors.archiveFile.err)
  })

  it('for a roll-back after it was deleted', async () => {
    const { one, key, cid, asset } = await owner()
    const { id } = (await deploySample(env, one, { archive: { key, file: cid } })).data
    await env.call('clusters.change', { id, image: 'nginx' }, one)
    await env.db.run(sql`delete from assets where id = ${asset}`)
    expect((await env.call('clusters.rollback', { id, revision: 1 }, one)).err).toBe(errors.archiveFile.err)
  })
})
