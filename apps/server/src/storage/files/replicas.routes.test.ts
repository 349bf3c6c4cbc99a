import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    expect((claims.exp ?? 0) - env.clock.now() / 1000).toBeLessThanOrEqual(300)
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
