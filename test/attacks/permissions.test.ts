import { randomBytes } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import { errors, errorText, PERMISSIONS, type Permission } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// What each permission allows, stated independently of the contract, with calls on existing items.

let env: TestEnv
let owner: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  owner = await env.person({ vip: true, storageQuota: 10 ** 12 })
  node = await env.node()
})
afterAll(() => env.close())

async function folder(parent = 0): Promise<number> {
  const { data } = await env.call('folders.create', { name: randomBytes(8).toString('hex'), parent }, owner)
  return data.group.ID
}

const upload = async () => {
  const asset_cid = (await rawCid(randomBytes(20))).toString()
  const receipt = await node.receipt({ sub: owner.uid, cid: asset_cid, size: 20 })
  return { asset_name: 'a.txt', asset_cid, asset_size: 20, asset_type: 'file', receipt, node_id: node.id } as const
}

async function asset(): Promise<string> {
  const input = await upload()
  const made = await env.call('assets.create', input, owner)
  if (made.code !== 0) throw new Error(made.msg)
  return input.asset_cid
}

async function trashed(what: { assets?: string[]; folders?: number[] }): Promise<number[]> {
  return (await env.call('trash.put', what, owner)).data.trash_ids
}

type Call = (as: { token: string }) => Promise<{ code: number; err?: number; msg?: string }>

/** Calls that succeed with the permission; the owner creates the items before. */
const calls: [name: string, needs: Permission, prepare: () => Promise<Call>][] = [
  [
    'createFolder',
    'createFolder',
    async () => (as) => env.call('folders.create', { name: randomBytes(8).toString('hex') }, as),
  ],
  [
    'renameFolder',
    'createFolder',
    async () => {
      const group_id = await folder()
      return (as) => env.call('folders.rename', { group_id, new_name: `n${group_id}` }, as)
    },
  ],
  [
    'moveFolder',
    'createFolder',
    async () => {
      const [group_id, target_group_id] = [await folder(), await folder()]
      return (as) => env.call('folders.move', { group_id, target_group_id }, as)
    },
  ],
  [
    'moving folders together',
    'createFolder',
    async () => {
      const [one, target] = [await folder(), await folder()]
      return (as) => env.call('folders.moveMany', { folders: [one], target }, as)
    },
  ],
  [
    'restoring a folder',
    'createFolder',
    async () => {
      const ids = await trashed({ folders: [await folder()] })
      return (as) => env.call('trash.restore', { ids }, as)
    },
  ],
  [
    'deleteFolder',
    'deleteFolder',
    async () => {
      const group_id = await folder()
      return (as) => env.call('folders.remove', { group_id }, as)
    },
  ],
  [
    'moving folders to the trash',
    'deleteFolder',
    async () => {
      const one = await folder()
      return (as) => env.call('trash.put', { folders: [one] }, as)
    },
  ],
  [
    'deleting a folder permanently',
    'deleteFolder',
    async () => {
      const ids = await trashed({ folders: [await folder()] })
      return (as) => env.call('trash.remove', { ids }, as)
    },
  ],
  ['listing folders', 'readFolder', async () => (as) => env.call('folders.list', {}, as)],
  ['listing a directory', 'readFolder', async () => (as) => env.call('folders.contents', {}, as)],
  [
    'details of a folder',
    'readFolder',
    async () => {
      const groupid = await folder()
      return (as) => env.call('folders.item', { groupid }, as)
    },
  ],
  [
    'creating the folders of an upload',
    'createFolder',
    async () => (as) => env.call('folderUploads.folders', { paths: [randomBytes(8).toString('hex')] }, as),
  ],
  [
    'starting the upload of a folder',
    'createFile',
    async () => (as) => env.call('folderUploads.info', { name: 'f', files: [{ item: 0, size: 20 }] }, as),
  ],
  [
    'creating the files of a folder',
    'createFile',
    async () => {
      const { asset_type: _, node_id: __, ...file } = await upload()
      return (as) => env.call('folderUploads.create', { files: [{ item: 0, ...file }] }, as)
    },
  ],
  ['starting an upload', 'createFile', async () => (as) => env.call('uploads.info', { size: 20 }, as)],
  [
    'createAsset',
    'createFile',
    async () => {
      const input = await upload()
      return (as) => env.call('assets.create', input, as)
    },
  ],
  [
    'renameAsset',
    'createFile',
    async () => {
      const asset_cid = await asset()
      return (as) => env.call('assets.rename', { asset_cid, new_name: 'b.txt' }, as)
    },
  ],
  [
    'renaming a file with folders.rename',
    'createFile',
    async () => {
      const asset_cid = await asset()
      return (as) => env.call('folders.rename', { asset_cid, new_name: 'c.txt' }, as)
    },
  ],
  [
    'moveAsset',
    'createFile',
    async () => {
      const [asset_cid, group_id] = [await asset(), await folder()]
      return (as) => env.call('assets.move', { asset_cid, group_id }, as)
    },
  ],
  [
    'moving files together',
    'createFile',
    async () => {
      const [one, target] = [await asset(), await folder()]
      return (as) => env.call('folders.moveMany', { assets: [one], target }, as)
    },
  ],
  [
    'restoring a file',
    'createFile',
    async () => {
      const ids = await trashed({ assets: [await asset()] })
      return (as) => env.call('trash.restore', { ids }, as)
    },
  ],
  [
    'deleteAsset',
    'deleteFile',
    async () => {
      const asset_cid = await asset()
      return (as) => env.call('assets.remove', { asset_cid }, as)
    },
  ],
  [
    'moving files to the trash',
    'deleteFile',
    async () => {
      const one = await asset()
      return (as) => env.call('trash.put', { assets: [one] }, as)
    },
  ],
  [
    'deleting a file permanently',
    'deleteFile',
    async () => {
      const ids = await trashed({ assets: [await asset()] })
      return (as) => env.call('trash.remove', { ids }, as)
    },
  ],
  ['listing devices', 'readDevices', async () => (as) => env.call('devices.list', {}, as)],
  ['earnings of devices', 'readDevices', async () => (as) => env.call('earnings.summary', {}, as)],
  ['listing files', 'readFile', async () => (as) => env.call('assets.list', {}, as)],
  ['searching', 'readFile', async () => (as) => env.call('folders.search', { q: 'a' }, as)],
  ['listing the trash', 'readFile', async () => (as) => env.call('trash.list', {}, as)],
  [
    'details of a file',
    'readFile',
    async () => {
      const cid = await asset()
      return (as) => env.call('folders.item', { cid }, as)
    },
  ],
]

describe('a key can do what its permissions allow, and nothing else:', () => {
  it.each(calls)('%s requires %s', async (_, needs, prepare) => {
    const call = await prepare()
    for (const permission of PERMISSIONS.filter((each) => each !== needs)) {
      const refused = await call({ token: await env.key(owner, [permission]) })
      expect({ permission, code: refused.code, err: refused.err }).toEqual({
        permission,
        code: -1,
        err: errors.keyPermission.err,
      })
      // The refusal says which permission is missing.
      expect(refused.msg).toBe(errorText('keyPermission', 'en', { permission: needs }))
    }
    // The refused calls changed nothing, so the call succeeds with the permission.
    expect(await call({ token: await env.key(owner, [needs]) })).toMatchObject({ code: 0 })
  })

  it('every other permission together is not enough, and an admin key is', async () => {
    for (const [, needs, prepare] of calls) {
      const others = PERMISSIONS.filter((each) => each !== needs)
      const call = await prepare()
      expect(await call({ token: await env.key(owner, others) })).toMatchObject({ err: errors.forbidden.err })
      expect(await call({ token: await env.key(owner, 'admin') })).toMatchObject({ code: 0 })
    }
  })

  it('every permission is tested here', () => {
    expect(new Set(calls.map(([, needs]) => needs))).toEqual(new Set(PERMISSIONS))
  })
})
