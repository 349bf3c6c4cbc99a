import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess } from './result.ts'
import { startTestEnv, type TestEnv } from './test-env.fixture.ts'

let env: TestEnv | undefined
afterEach(async () => {
  await env?.close()
  env = undefined
})

async function setup(
  answers: Record<string, unknown> = {},
  options: { token?: string; onToken?: (token: string) => void } = {},
) {
  const made = await startTestEnv()
  env = made
  for (const [name, answer] of Object.entries(answers)) made.answers.set(name, () => answer)
  return { env: made, storage: made.storage(options) }
}

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

describe('the caller', () => {
  it.each([
    ['session', 'Bearer session'],
    ['', undefined],
    ['token', undefined],
  ])('with token "%s" is sent as %s', async (token, header) => {
    const { env, storage } = await setup({}, { token })
    await storage.listRegions()
    expect(env.calls[0]?.headers.jwtauthorization).toBe(header)
  })

  it('receives new tokens, which are used from then on', async () => {
    const told: string[] = []
    const { env, storage } = await setup({}, { onToken: (token) => told.push(token) })
    env.answers.set(
      'get_area_id',
      () => (response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
        response.setHeader('new-token', 'fresh')
        response.setHeader('content-type', 'application/json')
        response.end('{"code":0,"data":{}}')
      },
    )
    await storage.listRegions()
    await storage.listKeys()
    expect(told).toEqual(['fresh'])
    expect(env.calls[1]?.headers.jwtauthorization).toBe('Bearer fresh')
  })

  it('can use several instances at once', async () => {
    const { env } = await setup()
    await env.storage({ token: 'one' }).listKeys()
    await env.storage({ token: 'two' }).listKeys()
    expect(env.calls.map(({ headers }) => headers.jwtauthorization)).toEqual(['Bearer one', 'Bearer two'])
  })
})

describe('an answer', () => {
  it('that is a file is returned', async () => {
    const { env, storage } = await setup()
    env.answers.set(
      'get_keys',
      () => (response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
        response.setHeader('content-type', 'text/csv')
        response.end('a,b')
      },
    )
    const result = await storage.listKeys()
    expect(await (result.data as unknown as Blob).text()).toBe('a,b')
  })

  it('that is wrapped twice is unwrapped', async () => {
    const { storage } = await setup({
      get_asset_group_info: { data: { Group: { ID: 1 }, AssetOverview: null, path: [] } },
    })
    const result = await storage.getItemDetails({ groupId: 1 })
    expect(result.data).toMatchObject({ Group: { ID: 1 } })
  })

  it('with an error keeps its code and data', async () => {
    const { storage } = await setup({ create_group: { code: -1, err: 10019, msg: 'many', data: { more: 1 } } })
    expect(await storage.createFolder({ name: 'a' })).toEqual({ code: -1, msg: 'many', data: { err: 10019, more: 1 } })
  })

  it('that is not an envelope is an error', async () => {
    const { env, storage } = await setup()
    env.answers.set(
      'get_keys',
      () => (response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
        response.setHeader('content-type', 'application/json')
        response.end('[1]')
      },
    )
    expect((await storage.listKeys()).code).toBe(10010)
  })
})

describe('requests to the portal', () => {
  it.each<[string, (storage: ReturnType<TestEnv['storage']>) => Promise<unknown>, string, Record<string, unknown>]>([
    ['createFolder', (s) => s.createFolder({ name: 'a', parent: 2 }), 'create_group', { name: 'a', parent: '2' }],
    [
      'listDirectoryContents',
      (s) => s.listDirectoryContents(),
      'get_asset_group_list',
      { parent: '0', page: '1', page_size: '10' },
    ],
    [
      'renameFolder',
      (s) => s.renameFolder({ group_id: 3, new_name: 'b' }),
      'rename_group',
      { group_id: 3, new_name: 'b' },
    ],
    [
      'renameAsset',
      (s) => s.renameAsset({ assetCid: CID, name: 'b' }),
      'rename_group',
      { asset_cid: CID, new_name: 'b' },
    ],
    [
      'deleteFolder',
      (s) => s.deleteFolder({ groupId: 3, force: false }),
      'delete_group',
      { group_id: '3', force: 'false' },
    ],
    [
      'deleteAsset',
      (s) => s.deleteAsset({ asset_cid: CID, areaId: ['x', 'y'] }),
      'delete_asset',
      { asset_cid: CID, area_id: ['x', 'y'] },
    ],
    [
      'moveAsset',
      (s) => s.moveAsset({ assetCid: CID, groupId: 4 }),
      'move_asset_to_group',
      { asset_cid: CID, group_id: '4' },
    ],
    [
      'moveFolder',
      (s) => s.moveFolder({ groupId: 4, targetGroupId: 0 }),
      'move_group_to_group',
      { group_id: '4', target_group_id: '0' },
    ],
    ['getItemDetails', (s) => s.getItemDetails({ cId: CID }), 'get_asset_group_info', { cid: CID }],
    ['listRegions', (s) => s.listRegions({ cid: CID }), 'get_area_id', { cid: CID }],
    [
      'createKey',
      (s) => s.createKey({ name: 'k', type: 'normal', perms: ['readFile'] }),
      'create_key',
      { key_name: 'k', type: 'normal', perms: 'readFile' },
    ],
    [
      'createKey with limits',
      (s) =>
        s.createKey({
          name: 'k',
          expires: new Date(Date.UTC(2030, 0, 1)),
          ips: ['203.0.113.0/24', '::1'],
          folders: [7],
        }),
      'create_key',
      { key_name: 'k', expires_at: '2030-01-01T00:00:00.000Z', ips: ['203.0.113.0/24', '::1'], folders: '7' },
    ],
    [
      'changeKey',
      (s) => s.changeKey({ name: 'k', newName: 'n', perms: ['readFile'], expires: '', ips: [], endFormer: true }),
      'change_key',
      { key_name: 'k', new_name: 'n', perms: ['readFile'], expires_at: '', ips: [], end_former: true },
    ],
    [
      'rotateKey',
      (s) => s.rotateKey({ name: 'k', overlapHours: 0 }),
      'rotate_key',
      { key_name: 'k', overlap_hours: 0 },
    ],
    ['deleteKey', (s) => s.deleteKey({ name: 'k' }), 'delete_key', { key_name: 'k' }],
    ['restoreKey', (s) => s.restoreKey({ name: 'k' }), 'restore_key', { key_name: 'k' }],
    ['usage', (s) => s.usage({ days: 30 }), 'get_user_info_daily', { days: '30' }],
    ['usage of a day', (s) => s.usage({ hourly: true }), 'get_user_info_hour', {}],
    [
      'getDownLoadUrls',
      (s) => s.getDownLoadUrls({ assetCid: CID, userId: 'u' }),
      'open_asset',
      { user_id: 'u', asset_cid: CID },
    ],
    [
      'reports',
      (s) => s.reports({ trace_id: 't', state: 1, transfer_type: 'download' }),
      'report',
      { trace_id: 't', state: 1 },
    ],
    ['revokeSharedLink', (s) => s.revokeSharedLink({ id: 'l' }), 'share_link_revoke', { id: 'l' }],
  ])('by %s', async (_, run, name, input) => {
    const { env, storage } = await setup()
    await run(storage)
    expect(env.called(name)).toMatchObject([input])
  })

  it('for a profile combine three calls', async () => {
    const { storage } = await setup({
      get_storage_size: { UsedSize: 5 },
      get_vip_info: { uid: 'u', vip: true },
      get_asset_count: { area_count: 2 },
    })
    expect((await storage.getUserProfile()).data).toEqual({ UsedSize: 5, uid: 'u', vip: true, area_count: 2 })
  })
})

describe('a shared link', () => {
  const asset = (ShareStatus: number) => ({
    data: {
      AssetOverview: { UserAssetDetail: { ShareStatus, UserID: 'u1', AssetType: 'file', area_ids: ['a', 'b'] } },
      Group: null,
    },
  })
  const folder = (ShareStatus: number) => ({
    data: { AssetOverview: null, Group: { ID: 12, ShareStatus, UserID: 'u1' } },
  })
  const made = { id: 'l1', url: '/link?id=l1', short_link: '/link?id=l1', long_link: '/distributionstatus?cid=x' }
  const info = {
    link: { id: 'l1', long_link: '/long', short_link: '/short', expire_time: 5_000_000_000, short_pass: 'secret' },
    expire_days: 9,
  }

  it('of a file that is not shared is created, permanent by default, and the file shared', async () => {
    const { env, storage } = await setup({ get_asset_group_info: asset(0), create_link: made })
    const result = await storage.createSharedLink({ id: CID })
    expect(result.data).toEqual({
      id: 'l1',
      url: `${env.url}/distributionstatus?cid=x`,
      short_link: `${env.url}/link?id=l1`,
      expire_at: 4_101_509_461,
      short_pass: '',
    })
    expect(env.called('create_link')).toEqual([
      {
        username: 'u1',
        cid: CID,
        url: `${env.url}/distributionstatus?cid=${CID}&AssetType=file&address=u1&area_id=a%2Cb`,
        expire_time: '4101509461',
      },
    ])
    expect(env.called('share_status_set')).toMatchObject([{ user_id: 'u1', cid: CID, status: '1' }])
  })

  it('of a folder is requested by its id', async () => {
    const { env, storage } = await setup({ get_asset_group_info: folder(0), create_link: made })
    await storage.createSharedLink({ id: '12', shortPass: 'abc123', areaId: ['x'] })
    expect(env.called('get_asset_group_info')).toEqual([{ groupid: '12' }])
    expect(env.called('create_link')).toMatchObject([
      {
        cid: '12',
        short_pass: 'abc123',
        area_id: 'x',
        url: `${env.url}/groupPreview?cid=12&AssetType=folder&address=u1`,
      },
    ])
  })

  it('may expire in days', async () => {
    const { env, storage } = await setup({ get_asset_group_info: asset(0), create_link: made })
    const before = Math.floor(Date.now() / 1000)
    await storage.createSharedLink({ id: CID, expireAt: 7, hasDay: true })
    const [{ expire_time: at } = {}] = env.called('create_link')
    expect(Number(at) - before - 7 * 86_400).toBeLessThan(10)
    expect(Number(at) - before - 7 * 86_400).toBeGreaterThanOrEqual(0)
  })

  it.each([
    [{}, []],
    [{ shortPass: '' }, [{ id: 'l1', short_pass: '' }]],
    [{ expireAt: 6_000_000_000 }, [{ id: 'l1', expire_at: 6_000_000_000 }]],
    [{ shortPass: 'xyz789', expireAt: 6_000_000_000 }, [{ id: 'l1', short_pass: 'xyz789', expire_at: 6_000_000_000 }]],
  ])('that exists is changed by %o and keeps the rest', async (options, updates) => {
    const { env, storage } = await setup({ get_asset_group_info: asset(1), share_link_info: info })
    const result = await storage.createSharedLink({ id: CID, ...options })
    expect(env.called('share_link_update')).toEqual(updates)
    expect(env.called('create_link')).toEqual([])
    if (isSuccess(result))
      expect(result.data).toMatchObject({
        short_pass: 'shortPass' in options ? options.shortPass : 'secret',
        expire_at: 'expireAt' in options ? options.expireAt : 5_000_000_000,
      })
  })

  it('that was revoked is created again', async () => {
    const { env, storage } = await setup({
      get_asset_group_info: asset(1),
      share_link_info: { code: -1, err: 1000, msg: 'none' },
      create_link: made,
    })
    expect((await storage.createSharedLink({ id: CID })).code).toBe(0)
    expect(env.called('create_link')).toHaveLength(1)
  })

  it('of another account returns the error of the portal', async () => {
    const { storage } = await setup({ get_asset_group_info: { code: -1, err: 10028, msg: 'no file' } })
    expect(await storage.createSharedLink({ id: CID })).toMatchObject({ code: -1, msg: 'no file' })
  })
})
