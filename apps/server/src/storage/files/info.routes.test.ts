import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let env: TestEnv
let frankfurt: Awaited<ReturnType<TestEnv['node']>>
let berlin: Awaited<ReturnType<TestEnv['node']>>
let singapore: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  frankfurt = await env.node()
  berlin = await env.node({ kind: 'edge', area: 'Europe-Germany-Berlin-Berlin' })
  singapore = await env.node({ kind: 'edge', area: 'Asia-Singapore-Singapore-Singapore' })
})
afterAll(() => env.close())

const overviewOf = async (person: Person, cid: string, lang: 'cn' | 'en' = 'en') => {
  const { data } = await env.call('folders.contents', { page_size: 100 }, { ...person, lang })
  const overview = data.list.find((item) => item.AssetOverview?.AssetRecord.CID === cid)?.AssetOverview
  if (!overview) throw new Error('not listed')
  return overview
}
const replica = (cid: string, node: { id: string }, state: string) =>
  env.db.run(sql`
    insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, ${state}, ${new Date()})
    on conflict (cid, node_id) do update set state = excluded.state`)
const power = (node: { id: string }, status: string) =>
  env.db.run(sql`update nodes set status = ${status} where id = ${node.id}`)

describe('listed assets', () => {
  it('contain size, owner and areas', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, {
      name: 'report.pdf',
      size: 4096,
      nodes: [frankfurt, berlin, singapore],
    })
    await env.db.run(sql`update contents set wanted = 7 where cid = ${cid}`)
    expect(await overviewOf(person, cid)).toMatchObject({
      AssetRecord: { CID: cid, TotalSize: 4096, State: 'Servicing', replica_num: 3, NeedEdgeReplica: 7 },
      UserAssetDetail: {
        UserID: person.uid,
        Cid: cid,
        AssetName: 'report.pdf',
        AssetType: 'file',
        ShareStatus: 0,
        area_ids: ['Germany', 'Singapore'],
      },
      VisitCount: 0,
      RemainVisitCount: 10,
    })
    expect((await overviewOf(person, cid)).AssetRecord.Hash).toMatch(/^1220[0-9a-f]{64}$/)
  })

  it("name areas in the caller's language", async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { areas: ['HongKong', 'NewAtlantis'] })
    expect((await overviewOf(person, cid, 'en')).UserAssetDetail.area_maps).toEqual([
      { key: 'Hong Kong', value: 'HongKong' },
      { key: 'New Atlantis', value: 'NewAtlantis' },
    ])
    expect((await overviewOf(person, cid, 'cn')).UserAssetDetail.area_maps[0]).toEqual({
      key: '香港',
      value: 'HongKong',
    })
  })

  it('contain the state: available, being copied, or offline', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id)
    const state = async () => (await overviewOf(person, cid)).AssetRecord.State
    expect(await state()).toBe('EdgesSelect')
    await replica(cid, frankfurt, 'pulling')
    expect(await state()).toBe('EdgesPulling')
    await replica(cid, frankfurt, 'stored')
    await replica(cid, berlin, 'wanted')
    expect(await state()).toBe('Servicing')
    await power(frankfurt, 'offline')
    expect(await state()).toBe('NodesOffline')
    await power(frankfurt, 'online')
    expect(await state()).toBe('Servicing')
  })

  it('are listed in their folder only, newest first', async () => {
    const person = await env.person()
    const { data } = await env.call('folders.create', { name: 'x' }, person)
    const folder = data.group.ID
    const { cid: older } = await sampleFile(env.db, person.id, { folder })
    const { cid: newer } = await sampleFile(env.db, person.id, { folder })
    await sampleFile(env.db, person.id)
    const listed = await env.call('assets.list', { group_id: folder }, person)
    expect(listed.data.list.map((asset) => asset.AssetRecord.CID)).toEqual([newer, older])
    const second = await env.call('assets.list', { group_id: folder, page: 2, page_size: 1 }, person)
    expect(second.data).toMatchObject({ total: 2, list: [{ AssetRecord: { CID: older } }] })
  })

  it('are refused for folders of others and for visitors', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { data } = await env.call('folders.create', { name: 'x' }, person)
    expect(await env.call('assets.list', { group_id: data.group.ID }, other)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('assets.list', {})).toMatchObject({ code: 401 })
  })
})

describe('locations of an asset', () => {
  it('contain its nodes, their cities and the wanted number', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { name: 'a.bin', nodes: [frankfurt, singapore] })
    await env.db.run(sql`update contents set wanted = 3 where cid = ${cid}`)
    await replica(cid, berlin, 'pulling')
    const { data } = await env.call('assets.detail', { cid }, person)
    expect(data).toMatchObject({
      cid,
      cid_name: 'a.bin',
      ReplicaInfo_count: 2,
      area_count: 2,
      titan_count: 2,
      network_count: 2,
      fileCoin_count: 0,
      wanted_count: 3,
      total: 2,
    })
    expect(new Set(data.list.map((point) => point.node_id))).toEqual(new Set([frankfurt.id, singapore.id]))
    const map = await env.call('assets.mapOfCid', { cid, area_id: ['Singapore'] }, person)
    expect(map.data.list.map((point) => point.node_id)).toEqual([singapore.id])
    const { data: nodes } = await env.call('assets.location', { cid, page_size: 2 }, person)
    expect(nodes.total).toBe(3)
    expect(nodes.node_list.every((node) => node.Status === 3)).toBe(true)
    const { data: more } = await env.call('assets.location', { cid, page: 2, page_size: 2 }, person)
    expect(more.node_list).toEqual([{ DeviceId: berlin.id, IpLocation: 'Europe-Germany-Berlin-Berlin', Status: 1 }])
  })

  it('mark a stopped node as offline', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { nodes: [singapore] })
    const shown = async () => (await env.call('assets.detail', { cid }, person)).data.list[0]?.status
    expect(await shown()).toBe('online')
    await power(singapore, 'offline')
    expect(await shown()).toBe('offline')
    await power(singapore, 'online')
  })

  it('are public while the file is shared, without third-party replicas', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { nodes: [frankfurt] })
    await env.call('shares.setStatus', { cid }, person)
    for (const operation of ['assets.detail', 'assets.mapOfCid', 'assets.location'] as const)
      expect((await env.call(operation, { cid, user_id: person.uid })).data.total).toBe(1)
    expect((await env.call('thirdParty.list', { cid })).data).toMatchObject({ list: [], total: 0, excluded: null })
  })

  it('are refused for unshared files, without the share token, after the expiry, and for invalid CIDs', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, person.id, { nodes: [frankfurt] })
    const ask = (operation: 'assets.detail' | 'assets.mapOfCid' | 'assets.location', as: { token?: string } = {}) =>
      env.call(operation, { cid, user_id: person.uid }, as)
    for (const operation of ['assets.detail', 'assets.mapOfCid', 'assets.location'] as const) {
      expect(await ask(operation)).toMatchObject({ code: -1, err: 10028 })
      expect(await ask(operation, other)).toMatchObject({ code: -1, err: 10028 })
      expect(await env.call(operation, { cid }, other)).toMatchObject({ code: -1, err: 10028 })
      expect(await env.call(operation, { cid })).toMatchObject({ code: -1, err: 10028 })
      expect(await env.call(operation, { cid: 'rubbish' }, person)).toMatchObject({ code: -1, err: 1001 })
    }
    await env.call('shares.create', { cid, short_pass: 'abc123' }, person)
    await env.call('shares.setStatus', { cid }, person)
    expect(await ask('assets.detail')).toMatchObject({ code: -1, err: 2059 })
  })
})

describe('the state of a share', () => {
  const statusOf = async (username: string, cid: string) =>
    ((await env.call('assets.status', { username, cid })).data as unknown as { data: unknown }).data

  it('contains existence, expiry and used-up downloads', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id)
    const day = 24 * 3600 * 1000
    await env.call('shares.create', { cid, expire_time: Math.floor((env.clock.now() + day) / 1000) }, person)
    await env.call('shares.setStatus', { cid }, person)
    const fresh = { IsExist: true, IsExpiration: false, IsVisitOutOfLimit: false }
    expect(await statusOf(person.uid, cid)).toEqual(fresh)
    await env.db.run(sql`update assets set downloads = 10 where cid = ${cid}`)
    expect(await statusOf(person.uid, cid)).toEqual({ ...fresh, IsVisitOutOfLimit: true })
    await env.db.run(sql`update users set vip = true where id = ${person.id}`)
    expect(await statusOf(person.uid, cid)).toEqual(fresh)
    env.pass(day)
    expect(await statusOf(person.uid, cid)).toEqual({ ...fresh, IsExpiration: true })
  })

  it('is the same for missing, unshared and invalid names', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id)
    for (const [username, what] of [
      [person.uid, cid],
      [person.uid, '17'],
      [person.uid, 'rubbish'],
      [person.email, cid],
      ['nobody', cid],
    ] as const)
      expect(await statusOf(username, what)).toEqual({ IsExist: false, IsExpiration: false, IsVisitOutOfLimit: false })
  })
})

describe('nodes and areas of an account', () => {
  it('counts distinct areas and nodes that hold its files', async () => {
    const person = await env.person()
    const count = async () => (await env.call('assets.count', {}, person)).data
    expect(await count()).toEqual({ area_count: 0, candidate_count: 0, edge_count: 0 })
    await sampleFile(env.db, person.id, { nodes: [frankfurt, berlin] })
    const { cid } = await sampleFile(env.db, person.id, { nodes: [berlin] })
    await replica(cid, singapore, 'pulling')
    expect(await count()).toEqual({ area_count: 1, candidate_count: 1, edge_count: 1 })
    await replica(cid, singapore, 'stored')
    expect(await count()).toEqual({ area_count: 2, candidate_count: 1, edge_count: 2 })
  })

  it("lists areas in the caller's language, most replicas first", async () => {
    const person = await env.person()
    const areas = async (lang: 'cn' | 'en' = 'en') => (await env.call('assets.areas', {}, { ...person, lang })).data
    expect(await areas()).toEqual({ list: [], copies: 0 })
    const { cid } = await sampleFile(env.db, person.id, { nodes: [frankfurt, berlin] })
    await sampleFile(env.db, person.id, { nodes: [berlin] })
    await replica(cid, singapore, 'stored')
    await sampleFile(env.db, (await env.person()).id, { nodes: [singapore] })
    await power(berlin, 'offline')
    expect(await areas()).toEqual({
      list: [
        { area: 'Germany', name: 'Germany', copies: 3, files: 2, nodes: 2, nodes_online: 1 },
        { area: 'Singapore', name: 'Singapore', copies: 1, files: 1, nodes: 1, nodes_online: 1 },
      ],
      copies: 4,
    })
    expect((await areas('cn')).list.map(({ name }) => name)).toEqual(['德国', '新加坡'])
    await power(berlin, 'online')
  })

  it('refuses other accounts', async () => {
    expect(await env.call('assets.count', {})).toMatchObject({ code: 401 })
    expect(await env.call('assets.areas', {})).toMatchObject({ code: 401 })
  })
})
