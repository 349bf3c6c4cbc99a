import { rawCid } from '@tidenet/content/cid'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let germany: Awaited<ReturnType<TestEnv['node']>>
let singapore: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  germany = await env.node({ url: 'http://127.0.0.1:7001' })
  singapore = await env.node({ area: 'Asia-Singapore-Singapore-Singapore', url: 'http://127.0.0.1:7002' })
})
afterAll(() => env.close())

let files = 0
/** A file of this person, held by both nodes. */
async function file(person: Person, name = 'a b.txt'): Promise<string> {
  files += 1
  const cid = (await rawCid(new TextEncoder().encode(`file ${files}`))).toString()
  const receipts = [
    await germany.receipt({ sub: person.uid, cid, size: 20 }),
    await singapore.receipt({ sub: person.uid, cid, size: 20 }),
  ]
  await env.call('nodeControl.receipts', { receipts: receipts.slice(0, 1) }, germany)
  await env.call('nodeControl.receipts', { receipts: receipts.slice(1) }, singapore)
  await env.call('assets.create', { asset_name: name, asset_type: 'file', asset_size: 20, asset_cid: cid }, person)
  return cid
}
const claims = (url: string) => decodeJwt(new URL(url).searchParams.get('token') as string)

describe('downloading an own file', () => {
  it('returns an address on each holder, with a token for that node and content only', async () => {
    const person = await env.person()
    const cid = await file(person)
    const { data } = await env.call('downloads.own', { asset_cid: cid, need_trace: true }, person)
    expect(data).toMatchObject({ asset_cid: cid, size: 20, available_nodes: 2, file_name: 'a b.txt', redirect: false })
    expect(new Set(data.node_ids)).toEqual(new Set([germany.id, singapore.id]))
    data.url.forEach((url, index) => {
      expect(new URL(url).pathname).toBe(`/ipfs/${cid}`)
      expect(new URL(url).searchParams.get('filename')).toBe('a b.txt')
      expect(claims(url)).toMatchObject({
        typ: 'download',
        aud: data.node_ids[index],
        cid,
        sub: person.uid,
        tid: data.trace_id,
      })
      expect(claims(url).exp).toBeLessThan(Date.now() / 1000 + 3700)
    })
  })

  it('returns nodes of the requested area only', async () => {
    const person = await env.person()
    const { data } = await env.call('downloads.own', { asset_cid: await file(person), area_id: ['Singapore'] }, person)
    expect(data.node_ids).toEqual([singapore.id])
  })

  it('refuses files of others, unknown files, areas without holders, and exceeded download quota', async () => {
    const [owner, other, spent] = [await env.person(), await env.person(), await env.person({ downloadQuota: 100 })]
    const cid = await file(owner)
    expect(await env.call('downloads.own', { asset_cid: cid }, other)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('downloads.own', { asset_cid: cid })).toMatchObject({ code: 401 })
    expect(await env.call('downloads.own', { asset_cid: cid, area_id: ['Atlantis'] }, owner)).toMatchObject({
      code: -1,
      err: 1005,
    })
    const own = await file(spent)
    await env.db.run(
      sql`insert into usage_hours (user_id, hour, sent) values (${spent.id}, ${new Date(env.clock.now())}, 100)`,
    )
    expect(await env.call('downloads.own', { asset_cid: own }, spent)).toMatchObject({ code: -1, err: 2065 })
  })
})

describe('downloading a shared file', () => {
  it('works for anyone while the file is shared', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    const open = () => env.call('downloads.open', { user_id: owner.uid, asset_cid: cid })
    expect(await open()).toMatchObject({ code: -1, err: 10028 })
    await env.call('shares.create', { cid }, owner)
    await env.call('shares.setStatus', { cid }, owner)
    const { data } = await open()
    expect(claims(data.url[0] as string)).toMatchObject({ sub: owner.uid, cid })
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    expect(await open()).toMatchObject({ code: -1, err: 10028 })
  })

  it('allows ten visitors for a free account, counts each once and the owner never', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    await env.call('shares.create', { cid }, owner)
    await env.call('shares.setStatus', { cid }, owner)
    const visit = (index: number) =>
      env.call('downloads.open', { user_id: owner.uid, asset_cid: cid }, { ip: `10.0.0.${index}` })
    const first = await Promise.all([...Array.from({ length: 10 }, (_, index) => visit(index)), visit(3), visit(3)])
    expect(first.every((answer) => answer.code === 0)).toBe(true)
    expect(await visit(11)).toMatchObject({ code: -1, err: 2064 })
    expect((await visit(4)).code).toBe(0)
    const preview = { user_id: owner.uid, asset_cid: cid, preview: true }
    expect(await env.call('downloads.open', preview, { ip: '10.0.0.99' })).toMatchObject({ code: -1, err: 2064 })
    expect((await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid }, owner)).code).toBe(0)
  })

  it('requires the share token of a password, and the owner', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    await env.call('shares.create', { cid, short_pass: 'abc123' }, owner)
    await env.call('shares.setStatus', { cid }, owner)
    const ticket = (await env.call('shares.check', { cid, username: owner.uid, password: 'abc123' })).data.ticket
    expect((await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid, ticket })).code).toBe(0)
    expect(await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid })).toMatchObject({
      code: -1,
      err: 2059,
    })
    expect(await env.call('downloads.open', { asset_cid: cid })).toMatchObject({ code: -1, err: 2063 })
  })
})

describe('anonymous files', () => {
  async function anonymous(): Promise<string> {
    files += 1
    const cid = (await rawCid(new TextEncoder().encode(`anonymous ${files}`))).toString()
    const info = await env.call('tempFiles.uploadInfo', { size: 30 })
    expect(info.data.List.length).toBeGreaterThan(0)
    const { sub } = decodeJwt(info.data.List[0]?.Token as string)
    await env.call(
      'nodeControl.receipts',
      { receipts: [await germany.receipt({ sub: sub as string, cid, size: 30 })] },
      germany,
    )
    expect((await env.call('tempFiles.create', { asset_name: 'x.bin', asset_cid: cid, asset_size: 30 })).code).toBe(0)
    return cid
  }

  it('allows twenty downloads in a day', async () => {
    const cid = await anonymous()
    const download = () => env.call('tempFiles.download', { cid })
    const twenty = await Promise.all(Array.from({ length: 20 }, download))
    expect(twenty.every((answer) => answer.code === 0)).toBe(true)
    expect(await download()).toMatchObject({ code: -1, err: 2057 })
    const { data } = await env.call('tempFiles.info', { cid })
    expect(data).toMatchObject({ name: 'x.bin', size: 30, downloads_left: 0, complete: 1 })
  })

  it('refuses files above 100 MiB, more than three areas, empty, unknown and expired files, and content not uploaded anonymously', async () => {
    expect(await env.call('tempFiles.uploadInfo', { size: 104_857_600 })).toMatchObject({ code: 0 })
    expect(await env.call('tempFiles.uploadInfo', { size: 104_857_601 })).toMatchObject({ code: -1, err: 10004 })
    expect(await env.call('tempFiles.uploadInfo', { size: 0 })).toMatchObject({ code: -1, err: 10030 })
    expect(await env.call('tempFiles.uploadInfo', { area_id: ['a', 'b', 'c', 'd'] })).toMatchObject({
      code: -1,
      err: 1001,
    })
    const owner = await env.person()
    const secret = await file(owner)
    await env.call('tempFiles.create', { asset_name: 'stolen', asset_cid: secret, asset_size: 20 })
    expect(await env.call('tempFiles.download', { cid: secret })).toMatchObject({ code: -1, err: 1000 })
    const cid = await anonymous()
    env.pass(24 * 3600 * 1000 + 1)
    expect(await env.call('tempFiles.download', { cid })).toMatchObject({ code: -1, err: 1000 })
  })
})
