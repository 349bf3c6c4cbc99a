import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseCid } from '@tidenet/content'
import { planFolder } from '@tidenet/content/folder'
import { catFile, statPath } from '@tidenet/content/graph'
import { afterEach, describe, expect, it } from 'vitest'
import type { FolderListing } from '../folder.ts'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv, type TestNode } from '../test-env.fixture.ts'
import type { UploadedAsset, UploadProgress } from './types.ts'

let env: TestEnv
const folders: string[] = []

afterEach(async () => {
  await env?.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function setup(options: { nodes?: number } = {}) {
  env = await startTestEnv(options)
  return { env, storage: env.storage(), node: env.nodes[0]! }
}

const FILES: Record<string, Buffer> = {
  'a.txt': Buffer.from('hello'),
  'sub/b.bin': someBytes(700_000),
  'sub/deep/c.bin': someBytes(300_000, 9),
  'sub/deep/empty': Buffer.alloc(0),
  '文件.txt': Buffer.from('你好'),
}

async function onDisk(files: Record<string, Buffer> = FILES): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  folders.push(folder)
  const root = join(folder, 'holiday')
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), bytes)
  }
  return root
}

function ok(result: Result<UploadedAsset>): UploadedAsset {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

async function readBack(node: TestNode, cid: string, path: string): Promise<Buffer> {
  const blocks = node.contents.get(cid)!.blocks!
  const getBlock = async (wanted: { toString(): string }) => blocks.get(wanted.toString())!
  const found = await statPath(parseCid(cid), path, getBlock)
  const pieces: Uint8Array[] = []
  for await (const piece of catFile(found.cid, getBlock)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function expectTree(node: TestNode, cid: string) {
  for (const [path, bytes] of Object.entries(FILES)) expect((await readBack(node, cid, path)).equals(bytes)).toBe(true)
}

const file = (path: string, bytes: Buffer) => {
  const made = new File([bytes as Uint8Array<ArrayBuffer>], path.split('/').at(-1)!)
  Object.defineProperty(made, 'webkitRelativePath', { value: path })
  return made
}

describe('uploading a folder', () => {
  it('from disk stores its tree under its name', async () => {
    const { storage, node, env } = await setup()
    const seen: UploadProgress[] = []
    const asset = ok(await storage.uploadAsset(await onDisk(), { groupId: 3 }, (progress) => seen.push(progress)))
    await expectTree(node, asset.cid)
    expect(asset).toMatchObject({ name: 'holiday', assetType: 'folder', isFastUpload: false, size: 1_000_011 })
    expect(env.called('create_asset')).toMatchObject([
      {
        asset_name: 'holiday',
        asset_type: 'folder',
        asset_cid: asset.cid,
        asset_size: node.contents.get(asset.cid)!.bytes.length,
        group_id: 3,
      },
    ])
    expect(new Set(seen.map(({ state }) => state))).toEqual(new Set(['packing', 'uploading', 'finishing']))
    expect(seen.at(-1)?.percent).toBe(100)
  })

  it.each([
    ['files chosen by a page', () => Object.entries(FILES).map(([path, bytes]) => file(`holiday/${path}`, bytes))],
    [
      'paths with files',
      () => Object.entries(FILES).map(([path, bytes]) => ({ path: `holiday/${path}`, file: new Uint8Array(bytes) })),
    ],
    [
      'a stream of paths with files',
      async function* () {
        for (const [path, bytes] of Object.entries(FILES))
          yield { path: `holiday/${path}`, file: new Uint8Array(bytes) }
      },
    ],
  ])('from %s gives the same CID', async (_, input) => {
    const { storage, node } = await setup()
    const fromDisk = ok(await storage.uploadAsset(await onDisk()))
    node.contents.clear()
    const asset = ok(await storage.uploadAsset(input()))
    expect(asset).toMatchObject({ cid: fromDisk.cid, name: 'holiday' })
    await expectTree(node, asset.cid)
  })

  it('returns the CID of the content rules', async () => {
    const { storage } = await setup()
    const plan = await planFolder(
      Object.entries(FILES).map(([path, bytes]) => ({
        path,
        size: bytes.length,
        open: async function* () {
          yield bytes
        },
      })),
    )
    expect(ok(await storage.uploadAsset(await onDisk())).cid).toBe(plan.root.toString())
  })

  it.each([
    ['as it is', {}],
    ['encrypted', { encrypt: { passphrase: 'a long secret', workFactor: 10 } }],
  ] as const)('with empty folders in it keeps them, %s', async (_, options) => {
    const { storage } = await setup()
    const root = await onDisk({ 'a.txt': Buffer.from('hello') })
    await mkdir(join(root, 'plans', 'later'), { recursive: true })
    const given = [{ path: 'holiday/a.txt', file: Buffer.from('hello') }, { path: 'holiday/plans/later/' }]
    for (const input of [root, given]) {
      const { cid } = ok(await storage.uploadAsset(input, options))
      const list = async (path: string) => {
        const { data } = await storage.listFolder(cid, { path })
        return (data as FolderListing).entries.map(({ name, kind }) => [name, kind])
      }
      expect(await list('')).toEqual([
        ['a.txt', 'file'],
        ['plans', 'folder'],
      ])
      expect(await list('plans')).toEqual([['later', 'folder']])
      expect(await list('plans/later')).toEqual([])
    }
  })

  it('resumes where a node disconnected', async () => {
    const { storage, node } = await setup()
    node.knobs.breakAfter = 4_000_000
    const files = { ...FILES, big: someBytes(9_000_000, 5) }
    const asset = ok(await storage.uploadAsset(await onDisk(files)))
    const offsets = node.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ headers }) => headers['upload-offset'])
    expect(offsets).toEqual(['0', '4000000'])
    await expectTree(node, asset.cid)
  })

  it('sends nothing that the network already has', async () => {
    const { storage, node, env } = await setup()
    env.answers.set('create_asset', () => [])
    expect(ok(await storage.uploadAsset(await onDisk())).isFastUpload).toBe(true)
    expect(node.requests).toEqual([])
  })

  it('that the account already has succeeds', async () => {
    const { storage, env } = await setup()
    env.answers.set('create_asset', () => ({ code: -1, err: 1017, msg: 'exists' }))
    expect(ok(await storage.uploadAsset(await onDisk())).isAlreadyExist).toBe(true)
  })

  it('cancels its registration if cancelled', async () => {
    const { storage, node, env } = await setup()
    const task = storage.uploadAsset(await onDisk({ big: someBytes(30_000_000) }))
    node.knobs.onBytes = (bytes) => {
      if (bytes > 5_000_000) void task.cancel()
    }
    expect((await task).code).toBe(-200)
    expect(node.uploads.size).toBe(0)
    const [{ asset_cid: cid } = {}] = env.called('create_asset')
    expect(env.called('cancel_upload')).toMatchObject([{ asset_cid: cid }])
  })
})

describe('a folder that could not be downloaded again', () => {
  it.each([['h/a/./b'], ['h/a//b'], ['h/..'], ['h/a\0b'], [`h/${'x'.repeat(1025)}`], [`h/${'d/'.repeat(128)}f`]])(
    'is refused by the path in question, before anything is sent: %j',
    async (path) => {
      const { storage, env, node } = await setup()
      const file = new Uint8Array(3)
      const result = await storage.uploadAsset([
        { path: 'h/good', file },
        { path, file },
      ])
      expect(result.code).toBe(10015)
      expect(result.msg).toContain(JSON.stringify(path.slice('h/'.length)).slice(0, 100))
      expect([env.called('create_asset'), node.requests]).toEqual([[], []])
    },
  )

  it('is refused if two files, or a file and a folder, have the same path', async () => {
    const { storage, env } = await setup()
    const file = new Uint8Array(3)
    for (const path of ['h/a', 'h/a/b'])
      expect(
        (
          await storage.uploadAsset([
            { path: 'h/a', file },
            { path, file },
          ])
        ).code,
      ).toBe(10015)
    expect(env.called('create_asset')).toEqual([])
  })
})

describe('refused', () => {
  it.each([
    ['an empty list', [], {}, 10027],
    [
      'paths that lead out',
      [
        { path: 'a/../../b', file: new Uint8Array(3) },
        { path: 'a/c', file: new Uint8Array(3) },
      ],
      {},
      10015,
    ],
    ['several files without a folder name', [new File(['a'], 'a'), new File(['b'], 'b')], {}, 1005],
    [
      'a folder called a file',
      [
        { path: 'h/a', file: new Uint8Array(3) },
        { path: 'h/b', file: new Uint8Array(3) },
      ],
      { assetType: 0 as const },
      10018,
    ],
    ['entries that are no files', [{ path: 'h/a', file: 5 as unknown as string }], {}, 10025],
    ['a file that is said to be a folder', [{ path: 'h/a/', file: new Uint8Array(3) }], {}, 10025],
    ['a file without content', [{ path: 'h/a' }], {}, 10025],
    ['a folder with nothing in it at all', [{ path: 'h/' }], {}, 10027],
  ])('%s', async (_, input, options, code) => {
    const { storage, env } = await setup()
    expect((await storage.uploadAsset(input, options)).code).toBe(code)
    expect(env.called('create_asset')).toEqual([])
  })
})
