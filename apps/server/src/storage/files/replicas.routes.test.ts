import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

describe('the replicas of an asset', () => {
  it('are listed with nodes, locations, states and last audits', async () => {
    const person = await world.person()
    const [node, other] = [await world.node(), await world.node({ area: 'Asia-Japan-Tokyo-Tokyo', status: 'offline' })]
    const { cid } = await sampleFile(world.db, person.id, { nodes: [node, other] })
    const at = new Date(world.clock.now())
    await world.db.run(sql`update contents set wanted = 3 where cid = ${cid}`)
    await world.db.run(sql`
      insert into audits (id, cid, node_id, validator_id, position, state, created_at, done_at)
      values ('1', ${cid}, ${node.id}, 'v', 0, 'failed', ${at}, ${new Date(at.getTime() - 1000)}), ('2', ${cid}, ${node.id}, 'v', 0, 'passed', ${at}, ${at})`)
    const { data } = await world.call('assets.replicas', { cid }, person)
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
    const person = await world.person()
    const [node, other] = [await world.node({ url: 'http://127.0.0.1:7001' }), await world.node()]
    const { cid } = await sampleFile(world.db, person.id, { nodes: [node, other], size: 20 })
    const { data } = await world.call('assets.challenge', { cid, node_id: node.id }, person)
    expect(data).toMatchObject({ node_id: node.id, size: 20, kind: 'file' })
    const url = new URL(data.url)
    expect(`${url.origin}${url.pathname}`).toBe(`http://127.0.0.1:7001/ipfs/${cid}`)
    const claims = decodeJwt(url.searchParams.get('token') ?? '')
    expect(claims).toMatchObject({ typ: 'download', aud: node.id, cid, sub: person.uid })
    expect((claims.exp ?? 0) - world.clock.now() / 1000).toBeLessThanOrEqual(300)
  })

  it('are hidden from others; nodes without the content and offline nodes cannot be checked', async () => {
    const [person, stranger] = [await world.person(), await world.person()]
    const [node, away, none] = [await world.node(), await world.node({ status: 'offline' }), await world.node()]
    const { cid } = await sampleFile(world.db, person.id, { nodes: [node, away] })
    expect(await world.call('assets.replicas', { cid }, stranger)).toMatchObject({ code: -1, err: 10028 })
    expect(await world.call('assets.replicas', { cid })).toMatchObject({ code: 401 })
    const challenge = (node_id: string, as: object) => world.call('assets.challenge', { cid, node_id }, as)
    expect(await challenge(node.id, stranger)).toMatchObject({ code: -1, err: 10028 })
    for (const id of [away.id, none.id, 'nobody'])
      expect(await challenge(id, person)).toMatchObject({ code: -1, err: 10025 })
    const key = { token: await world.key(person, ['createFile']) }
    expect(await challenge(node.id, key)).toMatchObject({ code: -1, err: 1028 })
    const spent = await world.person({ downloadQuota: 0 })
    const own = await sampleFile(world.db, spent.id, { nodes: [node] })
    expect(await world.call('assets.challenge', { cid: own.cid, node_id: node.id }, spent)).toMatchObject({ err: 2065 })
    const many = await Promise.all(Array.from({ length: 40 }, () => challenge(node.id, { ...person, ip: '10.9.9.9' })))
    expect(many.some((answer) => answer.status === 429)).toBe(true)
  })
})
