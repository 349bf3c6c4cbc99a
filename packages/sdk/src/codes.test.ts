import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { catalogue, codes, codeText } from './codes.ts'
import Shared, { createStorage } from './index.ts'
import type { Result } from './result.ts'
import { type NodeKnobs, someBytes, startTestEnv, type TestEnv, type TestNode } from './test-env.fixture.ts'
import type { UploadInput } from './upload/types.ts'

let env: TestEnv | undefined
const folders: string[] = []

afterEach(async () => {
  await env?.close()
  env = undefined
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const limits = { stall: 300, firstByte: 300, upload: 300 }
const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

/** A portal with two nodes. */
async function setup() {
  const given = await startTestEnv({ nodes: 2 })
  env = given
  const storage = given.storage({}, { limits })
  const spoilt = async (spoil: Spoil) => {
    for (const node of given.nodes) {
      if (typeof spoil === 'function') await spoil(node)
      else Object.assign(node.knobs, spoil)
    }
  }
  /** Uploads to both nodes, corrupts the stored bytes, and downloads. */
  const roundTrip = async (input: UploadInput, spoil: Spoil) => {
    const { cid } = (await storage.uploadAsset(input, { name: 'a' })).data as { cid: string }
    for (const node of given.nodes) node.contents.set(cid, given.nodes[0]!.contents.get(cid)!)
    given.calls.length = 0
    await spoilt(spoil)
    return storage.downloadAsset({ assetCid: cid, to: 'blob' })
  }
  const files = ['a', 'b'].map((name) => ({ path: `f/${name}`, file: new Uint8Array(someBytes(1000)) }))
  return {
    env: given,
    storage,
    http(status: number) {
      given.answers.set('get_keys', () => (response: ServerResponse) => response.writeHead(status).end())
      return storage.listKeys()
    },
    download: (spoil: Spoil) => roundTrip(someBytes(700_000), spoil),
    folder: (spoil: Spoil) => roundTrip(files, spoil),
    async upload(spoil: Spoil) {
      await spoilt(spoil)
      return storage.uploadAsset(someBytes(1000), { name: 'a' })
    },
  }
}

type Case = Awaited<ReturnType<typeof setup>>
type Spoil = NodeKnobs | ((node: TestNode) => unknown)
type Run = (given: Case) => unknown

/** Overrides one answer of the portal, then runs. */
const when =
  (name: string, answer: unknown, run: (storage: Case['storage']) => unknown): Run =>
  ({ storage, env }) => {
    env.answers.set(name, () => answer)
    return run(storage)
  }

const refused = { code: -1, err: 1001 }
const bad = <T>(value: unknown) => value as T

/** Every code of the SDK: its number, its English message, and a call that produces it. */
const table: [code: number, msg: string, run: Run][] = [
  [0, 'success', ({ storage }) => storage.listRegions()],
  [-1, 'Failed to create group', when('create_group', refused, (storage) => storage.createFolder({ name: 'a' }))],
  [
    -1,
    'Failed to rename group',
    when('rename_group', refused, (storage) => storage.renameFolder({ groupId: 1, name: 'a' })),
  ],
  [
    -1,
    'Failed to rename asset',
    when('rename_group', refused, (storage) => storage.renameAsset({ assetCid: CID, name: 'a' })),
  ],
  [-1, 'Failed to delete group', when('delete_group', refused, (storage) => storage.deleteFolder({ groupId: 1 }))],
  [-1, 'Failed to delete asset', when('delete_asset', refused, (storage) => storage.deleteAsset({ assetCid: CID }))],
  [-1, 'Failed to asset list', when('get_asset_group_list', refused, (storage) => storage.listDirectoryContents())],
  [-1, 'Failed to get area ID', when('get_area_id', refused, (storage) => storage.listRegions())],
  [-1, 'Failed to retrieve user information', when('get_vip_info', refused, (storage) => storage.getUserProfile())],
  [
    -1,
    'Failed to retrieve asset group info',
    when('get_asset_group_info', refused, (storage) => storage.getItemDetails({ cId: CID })),
  ],
  [-1, 'failure', when('get_keys', refused, (storage) => storage.listKeys())],
  [-1, 'No room.', when('get_keys', { ...refused, msg: 'No room.' }, (storage) => storage.listKeys())],
  [1000, 'Gone.', when('get_keys', { code: 1000, msg: 'Gone.' }, (storage) => storage.listKeys())],
  [401, 'Please sign in.', when('get_keys', { code: 401, msg: 'Please sign in.' }, (storage) => storage.listKeys())],
  [400, 'The request was invalid. Please check your input.', ({ http }) => http(400)],
  [401, 'You are not authorized. Please check your credentials.', ({ http }) => http(401)],
  [403, 'You do not have permission to access this resource.', ({ http }) => http(403)],
  [404, 'The requested resource could not be found.', ({ http }) => http(404)],
  [405, 'An error occurred on the server. Please try again later.', ({ http }) => http(405)],
  [500, 'An error occurred on the server. Please try again later.', ({ http }) => http(500)],
  [503, 'The service is currently unavailable. Please try again later.', ({ http }) => http(503)],
  [418, 'An unknown error occurred.', ({ http }) => http(418)],
  [
    -200,
    'Upload cancelled by user',
    ({ storage }) => storage.uploadAsset(someBytes(9), { name: 'a', signal: AbortSignal.abort() }),
  ],
  [1001, 'Initialization failed. Please call initialize first.', () => Shared.getInstance()],
  [1002, 'API token required', () => Shared.initialize({ token: '' })],
  [1003, 'Invalid API token provided.', () => Shared.initialize({ token: bad(5) })],
  [
    1004,
    'The resource is not available or the parent ID is wrong.',
    when('get_asset_group_info', { data: { AssetOverview: {}, Group: null } }, (storage) =>
      storage.createSharedLink({ id: 7 }),
    ),
  ],
  [1005, 'The name is missing.', ({ storage }) => storage.createFolder({ name: ' ' })],
  [1006, 'The ID is missing.', ({ storage }) => storage.deleteAsset({ assetCid: '' })],
  [1006, 'At least one ID (cId or groupId) is required', ({ storage }) => storage.getItemDetails({})],
  [
    1007,
    'This item cannot be shared.',
    when('get_asset_group_info', { data: { Group: { ShareStatus: 5, UserID: 'u' } } }, (storage) =>
      storage.createSharedLink({ id: 7 }),
    ),
  ],
  [
    1008,
    'The asset detail must be an object.',
    when('get_asset_group_info', { data: { AssetOverview: {} } }, (storage) => storage.createSharedLink({ id: CID })),
  ],
  [
    1009,
    'The access password must be exactly 6 letters or digits.',
    ({ storage }) => storage.createSharedLink({ id: CID, shortPass: '12345' }),
  ],
  [
    10010,
    'Network connection failed, please try again',
    ({ env, storage }) => env.close().then(() => storage.listKeys()),
  ],
  [
    10011,
    'The parent must be a non-negative number.',
    ({ storage }) => storage.createFolder({ name: 'a', parent: -1 }),
  ],
  [10012, 'The page must be a positive number.', ({ storage }) => storage.listDirectoryContents({ page: 0 })],
  [10013, 'The page size must be a positive number.', ({ storage }) => storage.listDirectoryContents({ pageSize: 0 })],
  [10014, 'Required fields are missing.', ({ storage }) => storage.renameFolder({})],
  [
    10015,
    'All upload addresses failed, reached address length of 2',
    ({ upload }) => upload({ refuse: { status: 500, times: 9 } }),
  ],
  [
    10015,
    'Upload addresses failed.',
    when('get_upload_info', { List: [], TraceID: 't' }, (storage) => storage.uploadAsset(someBytes(9), { name: 'a' })),
  ],
  [10015, 'Failed to upload file: refused by a knob', ({ upload }) => upload({ refuse: { status: 400, times: 9 } })],
  [10015, 'Stream aborted', ({ storage }) => shrinking((path) => storage.uploadAsset(path))],
  [
    10015,
    'Unknown error during upload',
    when('get_upload_info', { List: 5 }, (storage) => storage.uploadAsset(someBytes(9), { name: 'a' })),
  ],
  [10016, 'area_id must be an array.', ({ storage }) => storage.deleteAsset({ assetCid: CID, areaId: bad('x') })],
  [10017, 'group_id must be an integer.', ({ storage }) => storage.deleteFolder({ groupId: 0.5 })],
  [
    10018,
    'asset_type must be 0 or 1.',
    ({ storage }) => storage.uploadAsset(someBytes(9), { name: 'a', assetType: bad(3) }),
  ],
  [
    10019,
    'Download URL does not exist',
    when('share_asset', { url: [] }, (storage) => storage.downloadAsset({ assetCid: CID })),
  ],
  [10019, 'No available download nodes', ({ download }) => download((node) => node.close())],
  [10020, 'All url download failed', ({ download }) => download({ failRange: { status: 503 } })],
  [
    10020,
    'The download address has reached the maximum number of downloadable addresses',
    ({ download }) => download({ failRange: { status: 503, start: 262_144 } }),
  ],
  [10020, 'All download addresses failed, reached address length of 2', ({ folder }) => folder({ failTar: true })],
  [
    10020,
    'Download failed: 503 Service Unavailable',
    ({ env, folder }) =>
      env.nodes
        .pop()!
        .close()
        .then(() => folder({ failTar: true })),
  ],
  [10021, 'Asset ID is required', ({ storage }) => storage.createSharedLink({ id: -1 })],
  [10022, 'The download type is unknown.', ({ storage }) => storage.downloadAsset({ assetCid: CID, source: bad('x') })],
  [
    10023,
    'Failed to report',
    when('report', refused, (storage) => storage.reports({ trace_id: 't', state: 1, transfer_type: 'upload' })),
  ],
  [10024, 'expireAt must be a positive integer.', ({ storage }) => storage.createSharedLink({ id: CID, expireAt: -5 })],
  [10025, 'The options are invalid.', ({ storage }) => storage.createFolder(bad(null))],
  [
    10026,
    'Failed to retrieve asset group info',
    when('get_asset_group_info', { data: { AssetOverview: null, Group: null } }, (storage) =>
      storage.getItemDetails({ cId: CID }),
    ),
  ],
  [
    10027,
    'The file must be larger than 0 bytes.',
    ({ storage }) => storage.uploadAsset(new Uint8Array(0), { name: 'a' }),
  ],
  [
    10027,
    'Without an account a file has at most 100 MiB.',
    ({ storage }) => storage.uploadAsset(new Uint8Array(104_857_601), { name: 'a', groupId: -1 }),
  ],
  [10028, 'Request aborted', ({ storage }) => storage.getDownLoadUrls({ assetCid: CID, signal: AbortSignal.abort() })],
  [10028, 'Download abort', ({ storage }) => storage.downloadAsset({ assetCid: CID, signal: AbortSignal.abort() })],
  [10029, 'Request timed out', ({ download }) => download({ stalls: true })],
  [10030, 'The downloaded file is not what was asked for.', ({ download }) => download({ spoils: true })],
]

/** Error of a failed attempt as reported in the transfer trace. */
const attempts: [error: string, transfer: (given: Case) => unknown][] = [
  ['Failed to download chunk', ({ download }) => download({ failRange: { status: 503 } })],
  ['Handle network errors', ({ download }) => download((node) => node.id === 'node-1' && node.close())],
  ['Request timed out', ({ download }) => download({ stalls: true })],
  ['The node sent bytes that do not belong to this file.', ({ download }) => download({ spoils: true })],
  ['The node stored something else than what was sent.', ({ upload }) => upload({ lies: true })],
  ['HTTP 503', ({ download }) => download({ failDownload: 503 })],
]

/** Truncates a file while it is uploaded. */
async function shrinking(upload: (path: string) => Promise<unknown>) {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  folders.push(folder)
  const path = join(folder, 'a')
  await writeFile(path, someBytes(1000))
  env!.answers.set('get_upload_info', async () => {
    await writeFile(path, someBytes(10))
    const [node] = env!.nodes
    return {
      List: [{ NodeID: 'n', UploadURL: `${node!.url}/uploadv2`, ResumeURL: '', Token: 'up-node-0' }],
      TraceID: 't',
    }
  })
  return upload(path)
}

describe('a result', () => {
  it.each(table)('%i: %s', async (code, msg, run) => {
    const result = (await run(await setup())) as Result<unknown>
    expect({ code: result.code, msg: result.msg }).toEqual({ code, msg })
    expect(result.data).toBeTypeOf('object')
  })

  it.each(attempts)('names the node that failed: %s', async (error, transfer) => {
    const given = await setup()
    await transfer(given)
    const [report] = given.env.called('report') as { details: { state: number; error: string }[] }[]
    expect(report?.details.filter(({ state }) => state === 2).map((detail) => detail.error)).toContain(error)
  })

  it('is reached for every code', () => {
    const reached = new Set(table.map(([code]) => code))
    expect(Object.values(codes).filter((code) => !reached.has(code))).toEqual([])
  })
})

describe('messages', () => {
  it('exist in two languages, and the Chinese ones are Chinese', () => {
    for (const [en, cn] of [...Object.values(catalogue.codeTexts), ...Object.values(catalogue.phrases)]) {
      expect(en).not.toMatch(/[\u4e00-\u9fff]/)
      expect(cn).toMatch(/[\u4e00-\u9fff]/)
    }
  })

  it('follow the language of the instance, also after it changed', async () => {
    const { storage } = await setup()
    expect((await storage.createFolder({ name: '' })).msg).toBe('The name is missing.')
    expect(storage.updateLanguage('cn').code).toBe(0)
    expect((await storage.createFolder({ name: '' })).msg).toBe('缺少名称。')
    await storage.listKeys()
    expect(env!.calls.at(-1)?.headers.lang).toBe('cn')
    for (const size of [1000, 9_000_000]) await storage.uploadAsset(someBytes(size), { name: 'a' })
    const sent = env!.nodes[0]!.requests.filter(({ method }) => method !== 'GET')
    expect(sent.map(({ method, headers }) => [method, headers.lang])).toEqual([
      ['POST', 'cn'],
      ['POST', 'cn'],
      ['PATCH', 'cn'],
    ])
    expect(storage.updateLanguage(bad('fr')).code).toBe(10025)
  })

  it('of an unknown code say so', () => expect(codeText(987, 'en')).toBe('An unknown error occurred.'))
})

describe('the shared instance', () => {
  it('is created by initialize and returned by getInstance', () => {
    const made = Shared.initialize({ token: 'abc', url: 'http://127.0.0.1:1' })
    expect(made.code).toBe(0)
    expect(Shared.getInstance().data).toBe(made.data)
  })

  it.each([
    ['nothing', undefined, 10025],
    ['no token', {}, 1002],
    ['a blank token', { token: ' ' }, 1003],
    ['an invalid URL', { token: 'a', url: 'nowhere' }, 1001],
  ])('is not created from %s', (_, options, code) => expect(Shared.initialize(bad(options)).code).toBe(code))

  it('rejects tokens that are empty or not strings', () => {
    const storage = createStorage({ token: 'a', url: 'http://127.0.0.1:1' })
    expect(storage.updateToken('').code).toBe(1002)
    expect(storage.updateToken(bad(7)).code).toBe(1003)
    expect(storage.updateToken('b').code).toBe(0)
    expect(storage.api.token).toBe('b')
  })
})
