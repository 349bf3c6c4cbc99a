import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'
import type { DownloadedArchive } from './archive-types.ts'

let env: TestEnv
afterEach(() => env?.close())

const LINK = 's:harbour'
const REFUSED = { code: -1, err: 2059, msg: 'A password is needed.', data: {} }
const SHARE_LIMIT = { code: -1, err: 2064, msg: 'The downloads are used up.', data: {} }

interface Item {
  AssetOverview: unknown
  Group: unknown
}
const folder = (ID: number, Name: string): Item => ({ AssetOverview: null, Group: { ID, Name } })

async function setup() {
  env = await startTestEnv({ nodes: 2 })
  const storage = env.storage({ token: '' })
  const owner = env.storage()
  /** Uploads a file of the owner. */
  const file = async (AssetName: string, bytes: Buffer, Encrypted = false) => {
    const { cid, size } = ok(await owner.uploadAsset(bytes, { name: AssetName }))
    const UserAssetDetail = { AssetName, AssetType: 'file', TotalSize: size, Encrypted }
    return { AssetOverview: { AssetRecord: { CID: cid }, UserAssetDetail }, Group: null, cid, size }
  }
  /** Folders of the share by id: their names and contents. */
  const share = (folders: Record<number, { name: string; list: Item[] }>) => {
    env.answers.set('get_group_info', ({ group_id, page, page_size }) => {
      const { name, list } = folders[Number(group_id)]!
      const from = (Number(page) - 1) * Number(page_size)
      return { list: list.slice(from, from + Number(page_size)), info: { name }, total: list.length }
    })
  }
  return { storage, file, share }
}

function ok<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

/** Contents of a ZIP by path; folders end in `/`. */
async function unzipped(archive: DownloadedArchive): Promise<Map<string, Buffer>> {
  const bytes = Buffer.from((await archive.blob?.arrayBuffer()) ?? new ArrayBuffer(0))
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const found = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return found
}

const wanted = (more: { folders?: number[]; entries?: { path: string; cid: string; size: number }[] }) => ({
  shared: { userId: LINK, groupId: 1, ticket: 'proof', ...more },
  name: 'harbour.zip',
  format: 'zip' as const,
})

describe('an archive of a shared folder', () => {
  it('contains the folder with everything below it, each file asked for as a download of the share', async () => {
    const { storage, file, share } = await setup()
    const [small, large, sealed] = [someBytes(900), someBytes(6_000_000, 5), someBytes(800, 7)]
    share({
      1: { name: 'harbour', list: [folder(2, 'north/west'), folder(3, 'empty'), await file('log.md', small)] },
      2: { name: 'north/west', list: [await file('survey.bin', large), await file('key.txt', sealed, true)] },
      3: { name: 'empty', list: [] },
    })
    const archive = ok(await storage.downloadArchive(wanted({ folders: [1] })))
    const found = await unzipped(archive)
    expect([...found.keys()].sort()).toEqual([
      'harbour/empty/',
      'harbour/log.md',
      'harbour/north_west/key.txt.age',
      'harbour/north_west/survey.bin',
    ])
    expect(found.get('harbour/log.md')?.equals(small)).toBe(true)
    expect(found.get('harbour/north_west/survey.bin')?.equals(large)).toBe(true)
    const asked = env.called('open_asset')
    expect(asked).toHaveLength(3)
    for (const input of asked) {
      expect(input).toMatchObject({ user_id: LINK, group_id: '1', ticket: 'proof', need_trace: 'true' })
      expect(input.preview).toBeUndefined()
    }
    expect(env.called('get_group_info').every(({ ticket }) => ticket === 'proof')).toBe(true)
  })

  it('contains all pages of a long folder', async () => {
    const { storage, file, share } = await setup()
    const one = await file('a.txt', someBytes(10))
    share({ 1: { name: 'long', list: Array.from({ length: 130 }, () => one) } })
    expect(ok(await storage.downloadArchive(wanted({ folders: [1] }))).count).toBe(130)
  })

  it('contains only the chosen files and folders', async () => {
    const { storage, file, share } = await setup()
    const chosen = await file('b.txt', someBytes(20, 3))
    share({ 2: { name: 'north', list: [await file('a.txt', someBytes(10))] } })
    const entries = [{ path: 'b.txt', cid: chosen.cid, size: chosen.size }]
    const found = await unzipped(ok(await storage.downloadArchive(wanted({ folders: [2], entries }))))
    expect([...found.keys()].sort()).toEqual(['b.txt', 'north/a.txt'])
  })

  it('waits when the portal allows no more requests for a moment', async () => {
    const { storage, file, share } = await setup()
    share({ 1: { name: 'harbour', list: [await file('a.txt', someBytes(10)), await file('b', someBytes(5_000_000))] } })
    let refused = 0
    env.answers.set('open_asset', (input) => {
      if (refused++ < 3) return (response: import('node:http').ServerResponse) => response.writeHead(429).end('{}')
      return env.addresses(String(input.asset_cid))
    })
    expect(ok(await storage.downloadArchive(wanted({ folders: [1] })))).toMatchObject({ count: 2, failed: [] })
    expect(env.pauses.filter((ms) => ms === 10_000)).toHaveLength(3)
  })

  it('leaves out files that the share refuses, small and large, and names them', async () => {
    const { storage, file, share } = await setup()
    const kept = await file('kept.txt', someBytes(10))
    const list = [kept, await file('small.txt', someBytes(20, 3)), await file('large.bin', someBytes(6_000_000, 5))]
    share({ 1: { name: 'harbour', list } })
    env.answers.set('open_asset', ({ asset_cid }) => (asset_cid === kept.cid ? env.addresses(kept.cid) : SHARE_LIMIT))
    const archive = ok(await storage.downloadArchive(wanted({ folders: [1] })))
    expect([...(await unzipped(archive)).keys()]).toEqual(['harbour/kept.txt'])
    expect(archive.failed.map(({ path, msg }) => [path, msg])).toEqual([
      ['harbour/large.bin', SHARE_LIMIT.msg],
      ['harbour/small.txt', SHARE_LIMIT.msg],
    ])
  })

  it('is complete although the share token expires: a new one is asked for once, while files are fetched and listed', async () => {
    const { storage, file, share } = await setup()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const files = await Promise.all(names.map((name, seed) => file(name, someBytes(100 + seed, seed + 1))))
    share({
      1: { name: 'harbour', list: [folder(2, 'north'), ...files] },
      2: { name: 'north', list: [await file('g', someBytes(6_000_000))] },
    })
    const asked = { open_asset: 0, get_group_info: 0 }
    const usual = env.answers.get('get_group_info')
    const valid = new Set(['proof'])
    const expireAfter = (name: keyof typeof asked, times: number) => {
      if (++asked[name] === times) valid.clear()
    }
    env.answers.set('get_group_info', (input) => {
      expireAfter('get_group_info', 2)
      return valid.has(String(input.ticket)) ? usual?.(input) : REFUSED
    })
    env.answers.set('open_asset', (input) => {
      expireAfter('open_asset', 3)
      return valid.has(String(input.ticket)) ? env.addresses(String(input.asset_cid)) : REFUSED
    })
    let renewed = 0
    const renewTicket = async () => {
      renewed += 1
      valid.add(`proof ${renewed}`)
      return { code: 0 as const, msg: '', data: { ticket: `proof ${renewed}` } }
    }
    const options = wanted({ folders: [1] })
    const archive = ok(await storage.downloadArchive({ ...options, shared: { ...options.shared, renewTicket } }))
    expect(archive).toMatchObject({ count: 7, failed: [] })
    expect(renewed).toBe(2)
  })

  it('ends with the reason if the link was revoked or expired meanwhile, instead of leaving out the rest', async () => {
    const { storage, file, share } = await setup()
    const list = [
      await file('a', someBytes(100)),
      await file('b', someBytes(200, 3)),
      await file('c', someBytes(6_000_000, 5)),
    ]
    share({ 1: { name: 'harbour', list } })
    const options = wanted({ folders: [1] })
    const gone = async () => ({ code: -1, msg: 'It was revoked.', data: { err: 1000 } })
    // The third file is the first large one.
    for (const [files, refusal, more, reason] of [
      [1, REFUSED, { renewTicket: gone }, /It was revoked/],
      [2, REFUSED, { renewTicket: gone }, /It was revoked/],
      [1, REFUSED, {}, /password/],
      [1, { code: -1, err: 2058, msg: 'It has expired.', data: {} }, { renewTicket: gone }, /It has expired/],
    ] as const) {
      let opened = 0
      env.answers.set('open_asset', (input) => (++opened > files ? refusal : env.addresses(String(input.asset_cid))))
      const result = await storage.downloadArchive({ ...options, shared: { ...options.shared, ...more } })
      expect(result).toMatchObject({ code: -1, msg: expect.stringMatching(reason) })
    }
  })

  it('leaves out the rest if the downloads of the link are used up when its token expires', async () => {
    const { storage, file, share } = await setup()
    share({ 1: { name: 'harbour', list: [await file('a', someBytes(100)), await file('b', someBytes(6_000_000, 3))] } })
    let opened = 0
    env.answers.set('open_asset', (input) => (++opened > 1 ? REFUSED : env.addresses(String(input.asset_cid))))
    const options = wanted({ folders: [1] })
    const renewTicket = async () => ({ code: -1, msg: SHARE_LIMIT.msg, data: { err: SHARE_LIMIT.err } })
    const archive = ok(await storage.downloadArchive({ ...options, shared: { ...options.shared, renewTicket } }))
    expect(archive).toMatchObject({ count: 1, failed: [{ path: 'harbour/b', msg: SHARE_LIMIT.msg }] })
  })

  it('ends if the folder is no longer shared, and leaves out a file that is no longer in it', async () => {
    const { storage, file, share } = await setup()
    const [kept, gone] = [await file('a', someBytes(100)), await file('b', someBytes(200, 3))]
    share({ 1: { name: 'harbour', list: [kept, gone] } })
    const unknown = { code: -1, err: 10028, msg: 'unknown', data: {} }
    env.answers.set('open_asset', ({ asset_cid }) =>
      asset_cid === gone.cid ? unknown : env.addresses(String(asset_cid)),
    )
    expect(ok(await storage.downloadArchive(wanted({ folders: [1] })))).toMatchObject({
      count: 1,
      failed: [{ path: 'harbour/b' }],
    })
    const usual = env.answers.get('get_group_info')
    let listed = 0
    env.answers.set('get_group_info', (input) =>
      ++listed > 1 ? { code: -1, err: 10018, msg: 'no folder', data: {} } : usual?.(input),
    )
    expect(await storage.downloadArchive(wanted({ folders: [1] }))).toMatchObject({ code: -1, data: { err: 10018 } })
  })

  it('takes no more memory for a small file than the portal says, whatever the file is', async () => {
    const { storage, file, share } = await setup()
    const [small, large] = [await file('a', someBytes(100)), await file('b', someBytes(24_000_000, 5))]
    large.AssetOverview.UserAssetDetail.TotalSize = 1000
    share({ 1: { name: 'harbour', list: [small, large] } })
    expect(ok(await storage.downloadArchive(wanted({ folders: [1] })))).toMatchObject({
      count: 1,
      failed: [{ path: 'harbour/b' }],
    })
  })

  it('fails with the reason if the share refuses everything, or no longer opens', async () => {
    const { storage, file, share } = await setup()
    share({ 1: { name: 'harbour', list: [await file('large.bin', someBytes(6_000_000, 5))] } })
    env.answers.set('open_asset', () => SHARE_LIMIT)
    expect(await storage.downloadArchive(wanted({ folders: [1] }))).toMatchObject({ msg: SHARE_LIMIT.msg })
    env.answers.set('get_group_info', () => ({ code: -1, err: 2059, msg: 'password', data: {} }))
    expect(await storage.downloadArchive(wanted({ folders: [1] }))).toMatchObject({ code: -1, data: { err: 2059 } })
  })

  it('refuses files of the account beside those of a share, and a share without anything chosen', async () => {
    const { storage } = await setup()
    const both = { ...wanted({ folders: [1] }), items: { folders: [1] } }
    expect((await storage.downloadArchive(both)).code).toBe(10025)
    expect((await storage.downloadArchive(wanted({}))).code).toBe(10025)
    expect(env.calls).toEqual([])
  })
})
