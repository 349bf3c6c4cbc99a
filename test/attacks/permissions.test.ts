import { randomBytes } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import { errors, PERMISSIONS, type Permission } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// What each permission of a key is for, said here once more and without the contract: calls on things that exist.

let world: TestEnv
let owner: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  world = await setup()
  owner = await world.person({ vip: true, storageQuota: 10 ** 12 })
  node = await world.node()
})
afterAll(() => world.close())

async function folder(parent = 0): Promise<number> {
  const { data } = await world.call('folders.create', { name: randomBytes(8).toString('hex'), parent }, owner)
  return data.group.ID
}

const upload = async () => {
  const asset_cid = (await rawCid(randomBytes(20))).toString()
  const receipt = await node.receipt({ sub: owner.uid, cid: asset_cid, size: 20 })
  return { asset_name: 'a.txt', asset_cid, asset_size: 20, asset_type: 'file', receipt, node_id: node.id } as const
}

async function asset(): Promise<string> {
  const input = await upload()
  const made = await world.call('assets.create', input, owner)
  if (made.code !== 0) throw new Error(made.msg)
  return input.asset_cid
}

async function trashed(what: { assets?: string[]; folders?: number[] }): Promise<number[]> {
  return (await world.call('trash.put', what, owner)).data.trash_ids
}

type Call = (as: { token: string }) => Promise<{ code: number; err?: number; msg?: string }>

/** Calls that somebody with the right has carried out. Things are made by the owner before. */
const calls: [name: string, needs: Permission, prepare: () => Promise<Call>][] = [
  [
    'createFolder',
    'createFolder',
    async () => (as) => world.call('folders.create', { name: randomBytes(8).toString('hex') }, as),
  ],
  [
    'renameFolder',
    'createFolder',
    async () => {
      const group_id = await folder()
      return (as) => world.call('folders.rename', { group_id, new_name: `n${group_id}` }, as)
    },
  ],
  [
    'moveFolder',
    'createFolder',
    async () => {
      const [group_id, target_group_id] = [await folder(), await folder()]
      return (as) => world.call('folders.move', { group_id, target_group_id }, as)
    },
  ],
  [
    'moving folders together',
    'createFolder',
    async () => {
      const [one, target] = [await folder(), await folder()]
      return (as) => world.call('folders.moveMany', { folders: [one], target }, as)
    },
  ],
  [
    'putting a folder back',
    'createFolder',
    async () => {
      const ids = await trashed({ folders: [await folder()] })
      return (as) => world.call('trash.restore', { ids }, as)
    },
  ],
  [
    'deleteFolder',
    'deleteFolder',
    async () => {
      const group_id = await folder()
      return (as) => world.call('folders.remove', { group_id }, as)
    },
  ],
  [
    'putting folders into the trash',
    'deleteFolder',
    async () => {
      const one = await folder()
      return (as) => world.call('trash.put', { folders: [one] }, as)
    },
  ],
  [
    'deleting a folder for good',
    'deleteFolder',
    async () => {
      const ids = await trashed({ folders: [await folder()] })
      return (as) => world.call('trash.remove', { ids }, as)
    },
  ],
  ['listing folders', 'readFolder', async () => (as) => world.call('folders.list', {}, as)],
  ['listing a directory', 'readFolder', async () => (as) => world.call('folders.contents', {}, as)],
  [
    'details of a folder',
    'readFolder',
    async () => {
      const groupid = await folder()
      return (as) => world.call('folders.item', { groupid }, as)
    },
  ],
  ['beginning an upload', 'createFile', async () => (as) => world.call('uploads.info', { size: 20 }, as)],
  [
    'createAsset',
    'createFile',
    async () => {
      const input = await upload()
      return (as) => world.call('assets.create', input, as)
    },
  ],
  [
    'renameAsset',
    'createFile',
    async () => {
      const asset_cid = await asset()
      return (as) => world.call('assets.rename', { asset_cid, new_name: 'b.txt' }, as)
    },
  ],
  [
    'renaming a file by the call for folders',
    'createFile',
    async () => {
      const asset_cid = await asset()
      return (as) => world.call('folders.rename', { asset_cid, new_name: 'c.txt' }, as)
    },
  ],
  [
    'moveAsset',
    'createFile',
    async () => {
      const [asset_cid, group_id] = [await asset(), await folder()]
      return (as) => world.call('assets.move', { asset_cid, group_id }, as)
    },
  ],
  [
    'moving files together',
    'createFile',
    async () => {
      const [one, target] = [await asset(), await folder()]
      return (as) => world.call('folders.moveMany', { assets: [one], target }, as)
    },
  ],
  [
    'putting a file back',
    'createFile',
    async () => {
      const ids = await trashed({ assets: [await asset()] })
      return (as) => world.call('trash.restore', { ids }, as)
    },
  ],
  [
    'deleteAsset',
    'deleteFile',
    async () => {
      const asset_cid = await asset()
      return (as) => world.call('assets.remove', { asset_cid }, as)
    },
  ],
  [
    'putting files into the trash',
    'deleteFile',
    async () => {
      const one = await asset()
      return (as) => world.call('trash.put', { assets: [one] }, as)
    },
  ],
  [
    'deleting a file for good',
    'deleteFile',
    async () => {
      const ids = await trashed({ assets: [await asset()] })
      return (as) => world.call('trash.remove', { ids }, as)
    },
  ],
  ['listing files', 'readFile', async () => (as) => world.call('assets.list', {}, as)],
  ['searching', 'readFile', async () => (as) => world.call('folders.search', { q: 'a' }, as)],
  ['listing the trash', 'readFile', async () => (as) => world.call('trash.list', {}, as)],
  [
    'details of a file',
    'readFile',
    async () => {
      const cid = await asset()
      return (as) => world.call('folders.item', { cid }, as)
    },
  ],
]

describe('a key may do what its permission says, and nothing else', () => {
  it.each(calls)('%s needs %s', async (_, needs, prepare) => {
    const call = await prepare()
    for (const permission of PERMISSIONS.filter((each) => each !== needs)) {
      const refused = await call({ token: await world.key(owner, [permission]) })
      expect({ permission, code: refused.code, err: refused.err }).toEqual({
        permission,
        code: -1,
        err: errors.forbidden.err,
      })
    }
    // Nothing of it has happened, and whoever has the right can do it now.
    expect(await call({ token: await world.key(owner, [needs]) })).toMatchObject({ code: 0 })
  })

  it('a key with all permissions but none that fits is refused, an admin key is not', async () => {
    for (const [, needs, prepare] of calls) {
      const others = PERMISSIONS.filter((each) => each !== needs)
      const call = await prepare()
      expect(await call({ token: await world.key(owner, others) })).toMatchObject({ err: errors.forbidden.err })
      expect(await call({ token: await world.key(owner, 'admin') })).toMatchObject({ code: 0 })
    }
  })

  it('every permission is needed for something here', () => {
    expect(new Set(calls.map(([, needs]) => needs))).toEqual(new Set(PERMISSIONS))
  })
})
