import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditWaiting } from '../../network/audits/service.ts'
import { nodeToken } from '../../network/nodes/node-session.ts'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

describe('the replicas of an asset', () => {
  it('are listed with nodes, locations, states and last audits', async () => {
    const person = await env.person()
    const [node, other] = [await env.node(), await env.node({ area: 'Asia-Japan-Tokyo-Tokyo', status: 'offline' })]
    const { cid } = await sampleFile(env.db, person.id, { nodes: [node, other] })
    const at = new Date(env.clock.now())
    await env.db.run(sql`update contents set wanted = 3 where cid = ${cid}`)
    await env.db.run(sql`
      insert into audits (id, cid, node_id, validator_id, position, state, created_at, done_at)
      values ('1', ${cid}, ${node.id}, 'v', 0, 'failed', ${at}, ${new Date(at.getTime() - 1000)}), ('2', ${cid}, ${node.id}, 'v', 0, 'passed', ${at}, ${at})`)
    const { data } = await env.call('assets.replicas', { cid }, person)
    expect(data.wanted).toBe(3)
    expect(new Set(data.list.map((replica) => replica.node_id))).toEqual(new Set([node.id, other.id]))
    expect(data.list.find((replica) => replica.node_id === node.id)).toMatchObject({
      state: 'stored',
      status: 'online',
      reachable: true,
      nodeType: 2,
      area_id: 'Europe-Germany-Hesse-Frankfurt',
      audit: { at: at.toISOString(), passed: true },
    })
    expect(data.list.find((replica) => replica.node_id === other.id)).toMatchObject({ reachable: false, audit: null })
  })

  it('can be checked one by one, with an address for this node and content only', async () => {
    const person = await env.person()
    const [node, other] = [await env.node({ url: 'http://127.0.0.1:7001' }), await env.node()]
    const { cid } = await sampleFile(env.db, person.id, { nodes: [node, other], size: 20 })
    const { data } = await env.call('assets.challenge', { cid, node_id: node.id }, person)
    expect(data).toMatchObject({ node_id: node.id, size: 20, kind: 'file' })
    const url = new URL(data.url)
    expect(`${url.origin}${url.pathname}`).toBe(`http://127.0.0.1:7001/ipfs/${cid}`)
    const claims = decodeJwt(url.searchParams.get('token') ?? '')
    expect(claims).toMatchObject({ typ: 'download', aud: node.id, cid, sub: person.uid })
    // A node must not be able to tell it from a download of the owner.
    const download = await env.call('downloads.own', { asset_cid: cid }, person)
    const usual = new URL(download.data.url.find((address) => address.includes(url.host)) ?? '')
    const ofDownload = decodeJwt(usual.searchParams.get('token') ?? '')
    for (const { searchParams } of [url, usual]) searchParams.delete('token')
    expect(url.href).toBe(usual.href)
    expect(Object.keys(claims)).toEqual(Object.keys(ofDownload))
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe((ofDownload.exp ?? 0) - (ofDownload.iat ?? 0))
  })

  describe('that fail the check of their owner', () => {
    const setState = (cid: string, state: string, more: { suspect?: boolean; ageMs?: number } = {}) =>
      env.db.run(sql`
        update replicas set state = ${state}, suspect = ${more.suspect ?? false}, changed_at = ${new Date(env.clock.now() - (more.ageMs ?? 0))}
        where cid = ${cid}`)
    const audits = (cid: string) =>
      env.db.rows<{ id: string; state: string; requested: boolean; validator_id: string }>(
        sql`select id, state, requested, validator_id from audits where cid = ${cid} order by created_at`,
      )
    const setup = async () => {
      const [person, node] = [await env.person(), await env.node()]
      await env.node({ kind: 'validator' })
      const { cid } = await sampleFile(env.db, person.id, { nodes: [node], at: new Date(env.clock.now()) })
      const check = () => env.call('assets.challenge', { cid, node_id: node.id }, person)
      const failed = async (as: object = person) =>
        (await env.call('assets.challengeFailed', { cid, node_id: node.id, error: 'wrong' }, as)).data
      const listed = async () => (await env.call('assets.replicas', { cid }, person)).data.list[0]
      return { person, node, cid, check, failed, listed }
    }

    it('are audited, at most once a minute', async () => {
      const { cid, failed } = await setup()
      const answers = await Promise.all(Array.from({ length: 5 }, () => failed()))
      expect(answers).toEqual(Array.from({ length: 5 }, () => ({ audit: true, removed: false })))
      expect(await audits(cid)).toMatchObject([{ state: 'open', requested: true }])
      await env.db.run(sql`update audits set state = 'passed', done_at = created_at where cid = ${cid}`)
      await failed()
      expect(await audits(cid)).toHaveLength(1)
      env.pass(61_000)
      await failed()
      expect(await audits(cid)).toHaveLength(2)
    })

    it('of one node are audited at most ten times an hour for one account', async () => {
      const { person, node } = await setup()
      const other = await env.person()
      const report = async (as: typeof person) => {
        const { cid } = await sampleFile(env.db, as.id, { nodes: [node], at: new Date(env.clock.now()) })
        const answer = await env.call('assets.challengeFailed', { cid, node_id: node.id, error: 'wrong' }, as)
        return answer.data.audit
      }
      const reports: boolean[] = []
      for (let each = 0; each < 12; each++) reports.push(await report(person))
      expect(reports).toEqual([...Array(10).fill(true), false, false])
      expect(await report(other)).toBe(true)
      env.pass(3600_000)
      expect(await report(person)).toBe(true)
    })

    it('can be checked while an audit has just lost or removed them, or while they are unverified', async () => {
      const { cid, check, listed } = await setup()
      for (const [state, more] of [
        ['lost', { suspect: true, ageMs: 86_400_000 }],
        ['lost', {}],
        ['unverified', { ageMs: 86_400_000 }],
      ] as const) {
        await setState(cid, state, more)
        expect(await check()).toMatchObject({ code: 0 })
        expect(await listed()).toMatchObject({ checkable: true })
      }
      await setState(cid, 'removed')
      expect(await check()).toMatchObject({ code: 0 })
      expect(await listed()).toBeUndefined()
    })

    it('can be checked after a failed audit removed them, even if no record of them is left', async () => {
      const { cid, node, check, failed } = await setup()
      const at = new Date(env.clock.now())
      await env.db.run(sql`
        insert into audits (id, cid, node_id, validator_id, position, state, created_at, done_at)
        values (${`gone ${cid}`}, ${cid}, ${node.id}, 'v', 0, 'failed', ${at}, ${at})`)
      await env.db.run(sql`delete from replicas where cid = ${cid}`)
      expect(await check()).toMatchObject({ code: 0 })
      expect(await failed()).toMatchObject({ removed: false })
    })

    it('are said to be removed if the server had them deleted for another reason', async () => {
      const { cid, failed } = await setup()
      await setState(cid, 'removed')
      expect(await failed()).toEqual({ audit: false, removed: true })
      await setState(cid, 'lost')
      expect(await failed()).toEqual({ audit: false, removed: false })
      expect(await audits(cid)).toEqual([])
    })

    it('that the node never had, or lost long ago, cannot be checked', async () => {
      const { cid, check, listed } = await setup()
      for (const [state, more] of [
        ['lost', { ageMs: 11 * 60_000 }],
        ['wanted', {}],
        ['pulling', {}],
      ] as const) {
        await setState(cid, state, more)
        expect(await check()).toMatchObject({ code: -1, err: 10025 })
        expect(await listed()).toMatchObject({ checkable: false })
      }
    })

    it('are not audited for others, and passing such an audit does not improve the record of the node', async () => {
      const { cid, node, failed } = await setup()
      const stranger = await env.person()
      expect(
        await env.call('assets.challengeFailed', { cid, node_id: node.id, error: 'wrong' }, stranger),
      ).toMatchObject({ code: -1, err: 10028 })
      expect(await audits(cid)).toEqual([])
      const outcomes = async () =>
        (await env.db.one<{ audits: number[] }>(sql`select audits from nodes where id = ${node.id}`)).audits
      const finish = async (passed: boolean) => {
        const [audit] = (await audits(cid)).slice(-1)
        await env.db.run(sql`update audits set assigned_at = created_at where id = ${audit?.id}`)
        const results = [{ id: audit?.id ?? '', passed, ms: 1 }]
        const token = await nodeToken(env.context, audit?.validator_id ?? '')
        const answer = await env.call('nodeControl.audits', { results }, { token })
        expect(answer.data).toMatchObject({ accepted: 1 })
      }
      await failed()
      await finish(true)
      expect(await outcomes()).toEqual([])
      env.pass(61_000)
      const heard = () => env.db.run(sql`update nodes set seen_at = ${new Date(env.clock.now())}`)
      await heard()
      await failed()
      await finish(false)
      expect(await outcomes()).toEqual([])
      // Another validator confirms it.
      await env.node({ kind: 'validator' })
      env.pass(2000)
      await heard()
      await auditWaiting(env.context, [node.id])
      await finish(false)
      expect(await outcomes()).toEqual([0])
    })
  })

  it('are hidden from others; nodes without the content and offline nodes cannot be checked', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const [node, away, none] = [await env.node(), await env.node({ status: 'offline' }), await env.node()]
    const { cid } = await sampleFile(env.db, person.id, { nodes: [node, away] })
    expect(await env.call('assets.replicas', { cid }, stranger)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('assets.replicas', { cid })).toMatchObject({ code: 401 })
    const challenge = (node_id: string, as: object) => env.call('assets.challenge', { cid, node_id }, as)
    expect(await challenge(node.id, stranger)).toMatchObject({ code: -1, err: 10028 })
    for (const id of [away.id, none.id, 'nobody'])
      expect(await challenge(id, person)).toMatchObject({ code: -1, err: 10025 })
    const key = { token: await env.key(person, ['createFile']) }
    expect(await challenge(node.id, key)).toMatchObject({ code: -1, err: 1028 })
    const spent = await env.person({ downloadQuota: 0 })
    const own = await sampleFile(env.db, spent.id, { nodes: [node] })
    expect(await env.call('assets.challenge', { cid: own.cid, node_id: node.id }, spent)).toMatchObject({ err: 2065 })
    const many = await Promise.all(Array.from({ length: 40 }, () => challenge(node.id, { ...person, ip: '10.9.9.9' })))
    expect(many.some((answer) => answer.status === 429)).toBe(true)
  })
})
