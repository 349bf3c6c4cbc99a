import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_URL_WAIT } from '@tidenet/contract/constants'
import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from '../result.ts'
import { md5, someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'
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

async function onDisk(bytes: Uint8Array, name = 'file.bin'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  folders.push(folder)
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

function ok(result: Result<UploadedAsset>): UploadedAsset {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

const SMALL = 300_000
const LARGE = 9 * 1024 * 1024

describe('uploading a file', () => {
  it.each([
    ['one form', SMALL, 'POST /uploadv2'],
    ['resumable pieces', LARGE, 'PATCH /tus'],
  ])('sends it in %s and puts it into the account', async (_, size, request) => {
    const { storage, node } = await setup()
    const bytes = someBytes(size)
    const asset = ok(await storage.uploadAsset(await onDisk(bytes, 'a.bin')))
    expect(node.contents.get(asset.cid)?.bytes.equals(bytes)).toBe(true)
    expect(node.requests.some(({ method, path }) => `${method} ${path}`.startsWith(request))).toBe(true)
    expect(env.called('create_asset')).toMatchObject([
      { asset_name: 'a.bin', asset_cid: asset.cid, asset_size: size, md5: md5(bytes), receipt: 'receipt-node-0' },
    ])
    expect(asset).toMatchObject({ isFastUpload: false, isAlreadyExist: false, nodeId: 'node-0' })
    expect(asset.url).toContain(`/ipfs/${asset.cid}`)
  })

  it('waits up to two seconds for the file’s address, then continues without', async () => {
    const { storage, env } = await setup()
    env.answers.set('share_asset', () => ({ asset_cid: '', size: 0, trace_id: '', url: [], available_nodes: 0 }))
    expect(ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' })).url).toBe('')
    expect(env.pauses.reduce((sum, wait) => sum + wait, 0)).toBe(UPLOAD_URL_WAIT)
  })

  it.each([
    ['the number that the name got', 'keep_both', 'a (2).bin'],
    ['the name unless both are kept', 'replace', 'a.bin'],
  ] as const)('returns %s', async (_, onConflict, name) => {
    const { storage, env } = await setup()
    const listed = { AssetOverview: { UserAssetDetail: { AssetName: 'a (2).bin' } }, Group: null }
    env.answers.set('get_asset_group_list', () => ({ list: [listed], total: 1 }))
    expect(ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a.bin', groupId: 7, onConflict })).name).toBe(name)
    const listings = env.called('get_asset_group_list')
    expect(listings).toMatchObject(onConflict === 'keep_both' ? [{ parent: '7' }] : [])
  })

  it.each([
    ['a Blob', (bytes: Buffer) => new File([bytes as Uint8Array<ArrayBuffer>], 'b.bin')],
    ['bytes', (bytes: Buffer) => new Uint8Array(bytes)],
    ['a buffer', (bytes: Buffer) => new Uint8Array(bytes).buffer as ArrayBuffer],
  ])('takes %s', async (_, input) => {
    const { storage, node } = await setup()
    const bytes = someBytes(SMALL)
    const asset = ok(await storage.uploadAsset(input(bytes), { name: 'b.bin' }))
    expect(node.contents.get(asset.cid)?.bytes.equals(bytes)).toBe(true)
  })

  it('never sends the account’s token to a node', async () => {
    const { storage, node } = await setup()
    ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' }))
    expect(env.calls.every(({ headers }) => headers.jwtauthorization === 'Bearer session')).toBe(true)
    expect(JSON.stringify(node.requests)).not.toContain('session')
  })

  it('reports progress up to 100', async () => {
    const { storage } = await setup()
    const seen: UploadProgress[] = []
    ok(await storage.uploadAsset(await onDisk(someBytes(LARGE)), {}, (progress) => seen.push(progress)))
    expect(seen.every(({ percent, loaded, total }) => percent <= 100 && loaded <= total && total === LARGE)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ state: 'finishing', percent: 100 })
    expect(seen.map(({ loaded }) => loaded)).toEqual(seen.map(({ loaded }) => loaded).toSorted((a, b) => a - b))
  })

  it('reports every attempt of every node', async () => {
    const { storage, env } = await setup({ nodes: 2 })
    env.nodes[0]!.knobs.refuse = { status: 503, times: 9 }
    const asset = ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' }))
    const [report] = env.called('report') as { details: Record<string, unknown>[] }[]
    expect(report).toMatchObject({
      state: 1,
      transfer_type: 'upload',
      cid: asset.cid,
      node_id: 'node-1',
      total_size: SMALL,
    })
    expect(report?.details.map(({ node_id, state, status_code }) => [node_id, state, status_code])).toEqual([
      ['node-0', 2, 503],
      ['node-0', 2, 503],
      ['node-0', 2, 503],
      ['node-1', 1, 200],
    ])
  })
})

describe('a node that fails', () => {
  it('is tried three times with increasing delays, then the next one', async () => {
    const { storage, env } = await setup({ nodes: 2 })
    env.nodes[0]!.knobs.refuse = { status: 500, times: 9 }
    expect(ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' })).nodeId).toBe('node-1')
    expect(env.pauses).toEqual([1000, 2000])
  })

  it.each([429, 507])(
    'that has enough of this sender, or is full (%i), is left for the next at once',
    async (status) => {
      const { storage, env } = await setup({ nodes: 2 })
      env.nodes[0]!.knobs.refuse = { status, times: 9 }
      expect(ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' })).nodeId).toBe('node-1')
      expect(env.pauses).toEqual([])
    },
  )

  it('that disconnects is resumed where it stopped', async () => {
    const { storage, node, env } = await setup()
    node.knobs.breakAfter = 4_000_000
    const bytes = someBytes(LARGE)
    const asset = ok(await storage.uploadAsset(await onDisk(bytes)))
    const offsets = node.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ headers }) => headers['upload-offset'])
    expect(offsets).toEqual(['0', '4000000'])
    expect(node.contents.get(asset.cid)?.bytes.equals(bytes)).toBe(true)
    expect(env.called('create_asset')).toMatchObject([{ md5: md5(bytes) }])
  })

  it('that disconnects again and again is resumed as long as each attempt makes progress', async () => {
    const { storage, node } = await setup({ nodes: 2 })
    const breakAfter = 1_500_000
    node.knobs.breakAfter = breakAfter
    let again = 5
    node.knobs.onBytes = (bytes) => {
      if (bytes < breakAfter && node.knobs.breakAfter === undefined && again-- > 0) node.knobs.breakAfter = breakAfter
    }
    expect(ok(await storage.uploadAsset(await onDisk(someBytes(LARGE)))).nodeId).toBe('node-0')
    expect(node.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(7)
  })

  it('that has a part of an earlier upload is waited for, also while it answers with errors', async () => {
    const { storage, node, env } = await setup()
    const path = await onDisk(someBytes(LARGE))
    node.knobs.breakAfter = 5_000_000
    expect((await storage.uploadAsset(path, { retryCount: 1 })).code).toBe(10015)
    node.requests.length = 0
    node.knobs.refuse = { status: 503, times: 5, of: 'HEAD' }
    ok(await storage.uploadAsset(path))
    expect(env.pauses).toEqual([1000, 2000, 4000, 8000, 8000])
    const offsets = node.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ headers }) => headers['upload-offset'])
    expect(offsets).toEqual(['5000000'])
  })

  it('that has a part and does not come back is left after half a minute', async () => {
    const { storage, node, env } = await setup()
    const path = await onDisk(someBytes(LARGE))
    node.knobs.breakAfter = 5_000_000
    expect((await storage.uploadAsset(path, { retryCount: 1 })).code).toBe(10015)
    node.knobs.refuse = { status: 503, times: 99, of: 'HEAD' }
    expect((await storage.uploadAsset(path)).code).toBe(10015)
    const waited = env.pauses.reduce((sum, ms) => sum + ms, 0)
    expect(waited).toBeGreaterThanOrEqual(30_000)
    expect(waited).toBeLessThan(40_000)
  })

  it('that reports another CID than was sent is rejected', async () => {
    const { storage, env } = await setup({ nodes: 2 })
    env.nodes[0]!.knobs.lies = true
    expect(ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' })).nodeId).toBe('node-1')
    const [report] = env.called('report') as { details: { node_id: string; state: number }[] }[]
    expect(report?.details.map(({ node_id, state }) => [node_id, state])).toEqual([
      ['node-0', 2],
      ['node-1', 1],
    ])
  })

  it('that rejects the token is skipped at once', async () => {
    const { storage, env } = await setup({ nodes: 2 })
    env.nodes[0]!.knobs.refuse = { status: 403, times: 9 }
    expect(ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' })).nodeId).toBe('node-1')
    expect(env.pauses).toEqual([])
  })

  it.each([
    ['by form', SMALL],
    ['resumable', LARGE],
  ])('that is frozen is left after a look at it, %s', async (_, size) => {
    const { env } = await setup({ nodes: 3 })
    for (const node of env.nodes.slice(0, 2)) node.knobs.frozen = true
    const storage = env.storage({}, { limits: { firstByte: 100 } })
    const began = performance.now()
    expect(ok(await storage.uploadAsset(await onDisk(someBytes(size)))).nodeId).toBe('node-2')
    expect(performance.now() - began).toBeLessThan(5000)
    const [report] = env.called('report') as { details: { node_id: string; state: number }[] }[]
    expect(report?.details.map(({ node_id, state }) => [node_id, state])).toEqual([
      ['node-0', 2],
      ['node-1', 2],
      ['node-2', 1],
    ])
  })

  it('without resumable uploads receives a form', async () => {
    const { storage, node } = await setup()
    node.knobs.noTus = true
    const asset = ok(await storage.uploadAsset(await onDisk(someBytes(LARGE))))
    expect(node.contents.has(asset.cid)).toBe(true)
  })

  it('ends the upload if it rejects the file itself', async () => {
    const { storage, env } = await setup({ nodes: 2 })
    env.nodes[0]!.knobs.refuse = { status: 413, times: 9 }
    const result = await storage.uploadAsset(someBytes(SMALL), { name: 'a' })
    expect(result.code).toBe(10015)
    expect(env.nodes[1]!.requests).toEqual([])
    expect(env.called('cancel_upload')).toEqual([{ trace_id: 'trace-1' }])
  })

  it('ends the upload if all others failed too', async () => {
    const { storage, env } = await setup({ nodes: 2 })
    for (const node of env.nodes) node.knobs.refuse = { status: 500, times: 9 }
    expect(await storage.uploadAsset(someBytes(SMALL), { name: 'a' })).toMatchObject({
      code: 10015,
      msg: 'All upload addresses failed, reached address length of 2',
      data: { trace_id: 'trace-1' },
    })
    expect(env.called('create_asset')).toEqual([])
    expect(env.called('report')).toMatchObject([{ state: 2 }])
  })
})

describe('cancelling', () => {
  it('stops sending at once and releases all reservations', async () => {
    const { storage, node, env } = await setup()
    const task = storage.uploadAsset(await onDisk(someBytes(4 * LARGE)))
    node.knobs.onBytes = (bytes) => {
      if (bytes > LARGE) void task.cancel()
    }
    expect(await task).toMatchObject({ code: -200, msg: 'Upload cancelled by user', data: { abort: true } })
    expect(node.uploads.size).toBe(0)
    expect(env.called('create_asset')).toEqual([])
    expect(env.called('cancel_upload')).toEqual([{ trace_id: 'trace-1' }])
    expect(env.called('report')).toMatchObject([{ state: 2, details: [{ node_id: 'node-0', state: 2 }] }])
  })

  it('with an aborted signal sends no requests', async () => {
    const { storage } = await setup()
    const result = await storage.uploadAsset(someBytes(10), { name: 'a', signal: AbortSignal.abort() })
    expect(result.code).toBe(-200)
    expect(env.calls).toEqual([])
  })
})

describe('resuming', () => {
  it('continues a failed upload', async () => {
    const { storage, node } = await setup()
    const path = await onDisk(someBytes(LARGE))
    node.knobs.breakAfter = 5_000_000
    expect((await storage.uploadAsset(path, { retryCount: 1 })).code).toBe(10015)
    node.requests.length = 0
    ok(await storage.uploadAsset(path))
    const offsets = node.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ headers }) => headers['upload-offset'])
    expect(offsets).toEqual(['5000000'])
  })

  it('continues a paused upload; a cancelled one cannot be resumed', async () => {
    const { storage, node } = await setup()
    const path = await onDisk(someBytes(LARGE))
    const stopAt = async (how: 'pause' | 'cancel') => {
      let task: ReturnType<typeof storage.uploadAsset> | undefined
      node.knobs.onBytes = (bytes) => {
        if (bytes > 3_000_000) void task?.[how]()
      }
      task = storage.uploadAsset(path)
      const result = await task
      delete node.knobs.onBytes
      return result
    }
    expect(await stopAt('pause')).toMatchObject({ code: -200, data: { paused: true } })
    expect(node.uploads.size).toBe(1)
    expect(env.called('cancel_upload')).toEqual([])
    node.requests.length = 0
    ok(await storage.uploadAsset(path))
    const [first] = node.requests.filter(({ method }) => method === 'PATCH')
    expect(Number(first?.headers['upload-offset'])).toBeGreaterThan(3_000_000)
    const cancelled = await stopAt('cancel')
    expect(cancelled.code).toBe(-200)
    expect(cancelled.data).not.toHaveProperty('paused')
    expect(node.uploads.size).toBe(0)
  })
})

describe('without an account', () => {
  it('the file is registered as temporary', async () => {
    const { env, node } = await setup()
    const asset = ok(await env.storage({ token: '' }).uploadAsset(someBytes(SMALL), { name: 'a', areaId: ['x'] }))
    expect(node.contents.has(asset.cid)).toBe(true)
    expect(asset.url).toBe('http://share')
    expect(env.called('upload')).toMatchObject([{ asset_cid: asset.cid, area_ids: ['x'] }])
    expect(env.calls.some(({ headers }) => 'jwtauthorization' in headers)).toBe(false)
    expect(env.called('create_asset')).toEqual([])
  })

  it('a file above 104857600 bytes is refused before anything is sent', async () => {
    const { env } = await setup()
    const result = await env.storage({ token: 'token' }).uploadAsset(new Uint8Array(104_857_601), { name: 'a' })
    expect(result.code).toBe(10027)
    expect(env.calls).toEqual([])
  })
})

describe('refused at once', () => {
  it.each([
    ['an empty file', new Uint8Array(0), { name: 'a' }, 10027],
    ['no name', new Uint8Array(5), {}, 1005],
    ['areas that are no list', new Uint8Array(5), { name: 'a', areaId: 'x' as unknown as string[] }, 10016],
    ['a folder that is no number', new Uint8Array(5), { name: 'a', groupId: 1.5 }, 10017],
    ['an unknown type', new Uint8Array(5), { name: 'a', assetType: 2 as unknown as 0 }, 10018],
    ['bytes called a folder', new Uint8Array(5), { name: 'a', assetType: 1 as const }, 10018],
    ['no options', new Uint8Array(5), null as unknown as object, 10025],
    ['a path that leads nowhere', '/nowhere/at/all', {}, 10015],
    ['something that is no file', 5 as unknown as Blob, { name: 'a' }, 10025],
  ])('%s', async (_, input, options, code) => {
    const { storage } = await setup()
    expect((await storage.uploadAsset(input, options)).code).toBe(code)
    expect(env.calls).toEqual([])
  })
})
