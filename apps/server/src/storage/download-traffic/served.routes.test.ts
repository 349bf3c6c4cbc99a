import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { Input, nodeControl } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { openTrace } from '../traces/service.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

type Transfer = Input<typeof nodeControl.served>['transfers'][number]

const SIZE = 1_000_000

/** A person whose file the node holds, and a transfer of it. */
async function owner(): Promise<{ person: Person; cid: string; traceId: string }> {
  const person = await env.person()
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  const receipt = await node.receipt({ sub: person.uid, cid, size: SIZE })
  await env.call('nodeControl.receipts', { receipts: [receipt] }, node)
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, created_at, expires_at) values (${person.id}, ${cid}, 'file', 'a', ${SIZE}, ${at}, ${at})`)
  return { person, cid, traceId: await trace(person.uid, cid, person.id) }
}
const trace = (account: string, cid: string, userId?: number) =>
  openTrace(env.db, {
    userId,
    account,
    kind: 'download',
    cid,
    name: 'a',
    offered: [node.id],
    at: new Date(env.clock.now()),
  })

const report = (transfers: Partial<Transfer>[], batch: string = randomUUID(), by: { token: string } = node) =>
  env.call(
    'nodeControl.served',
    {
      batch,
      transfers: transfers.map((transfer) => ({
        account: '',
        trace_id: '',
        cid: '',
        bytes: 100,
        requests: 1,
        peak: 50,
        time: env.clock.now(),
        ...transfer,
      })),
    },
    by,
  )
const usageOf = (person: Person) =>
  env.db.maybe<{ sent: number; downloads: number; peak: number }>(
    sql`select sent, downloads, peak from usage_hours where user_id = ${person.id} and sent > 0`,
  )
const bytesOf = async (id: string) =>
  (await env.db.one<{ node_bytes: number }>(sql`select node_bytes from traces where id = ${id}`)).node_bytes

describe('traffic reports of nodes', () => {
  it('count for the account and the trace', async () => {
    const { person, cid, traceId } = await owner()
    await report([{ account: person.uid, cid, trace_id: traceId }])
    expect(await usageOf(person)).toEqual({ sent: 100, downloads: 1, peak: 50 })
    expect(await bytesOf(traceId)).toBe(100)
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({
      UsedTraffic: 100,
      PeakBandwidth: 50,
    })
  })

  it('count for previews and replica checks, also of a file now in the trash', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { size: SIZE, nodes: [node] })
    const look = (await env.call('downloads.own', { asset_cid: cid, preview: true }, person)).data
    const challenge = (await env.call('assets.challenge', { cid, node_id: node.id }, person)).data
    // Clients must report neither.
    expect(look.trace_id).toBe('')
    await env.call('trash.put', { assets: [cid] }, person)
    for (const url of [look.url[0] ?? '', challenge.url]) {
      const { sub, tid } = decodeJwt(new URL(url).searchParams.get('token') ?? '')
      await report([{ account: String(sub), cid, trace_id: String(tid) }])
    }
    expect(await usageOf(person)).toMatchObject({ sent: 200 })
    expect((await env.call('traces.list', {}, person)).data).toEqual({ list: [], total: 0 })
  })

  it('count one download for a trace with several nodes and reports', async () => {
    const { person, cid, traceId } = await owner()
    const second = await env.node()
    await env.db.run(sql`update traces set offered = ${[node.id, second.id]} where id = ${traceId}`)
    await Promise.all([
      report([{ account: person.uid, cid, trace_id: traceId, peak: 10 }]),
      report([{ account: person.uid, cid, trace_id: traceId, peak: 90, requests: 0 }]),
      report([{ account: person.uid, cid, trace_id: traceId }], randomUUID(), second),
    ])
    expect(await usageOf(person)).toEqual({ sent: 300, downloads: 1, peak: 90 })
    expect(await bytesOf(traceId)).toBe(300)
  })

  it('count once when the batch is repeated', async () => {
    const { person, cid, traceId } = await owner()
    const batch = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => report([{ account: person.uid, cid, trace_id: traceId }], batch)),
    )
    expect(answers.every((answer) => answer.code === 0)).toBe(true)
    expect((await usageOf(person))?.sent).toBe(100)
  })

  it('count for the trace only if the file is anonymous', async () => {
    const { cid } = await owner()
    const traceId = await trace(`temp:${cid}`, cid)
    await report([{ account: `temp:${cid}`, cid, trace_id: traceId }])
    expect(await bytesOf(traceId)).toBe(100)
  })

  it('count in the hour of the transfer if at most a day late', async () => {
    const { person, cid, traceId } = await owner()
    const hours = [-2, -100, 5].map((hour) => env.clock.now() + hour * 3600 * 1000)
    await report(hours.map((time) => ({ account: person.uid, cid, trace_id: traceId, time })))
    const rows = await env.db.rows<{ ago: number }>(sql`
      select round(extract(epoch from ${new Date(env.clock.now())}::timestamptz - hour) / 3600) as ago from usage_hours
      where user_id = ${person.id} and sent > 0 order by hour`)
    expect(rows).toHaveLength(3)
    expect(rows.every(({ ago }) => ago >= 0 && ago <= 25)).toBe(true)
  })

  it('are limited by the number of requests', async () => {
    const { person, cid, traceId } = await owner()
    await report([{ account: person.uid, cid, trace_id: traceId, bytes: 10 ** 15, requests: 1 }])
    expect((await usageOf(person))?.sent).toBeLessThan(3 * SIZE)
  })

  it('do not count for an account without the content', async () => {
    const { cid, traceId } = await owner()
    const victim = await env.person()
    await report([
      { account: victim.uid, cid },
      { account: victim.uid, cid, trace_id: traceId },
      { account: victim.uid, cid: "x' or '1'='1", trace_id: "'; drop table traces; --" },
    ])
    expect(await usageOf(victim)).toBeUndefined()
    expect(await bytesOf(traceId)).toBe(0)
  })

  it('do not count for a node without the content', async () => {
    const { person, cid, traceId } = await owner()
    const stranger = await env.node()
    await report([{ account: person.uid, cid, trace_id: traceId }], randomUUID(), stranger)
    expect(await usageOf(person)).toBeUndefined()
  })

  it.each([{ bytes: -1 }, { requests: -1 }, { peak: 10 ** 60 }, { bytes: 1.5 }])(
    'are refused with %j',
    async (wrong) => {
      expect((await report([wrong])).err).toBe(1001)
    },
  )

  it('are refused from users', async () => {
    expect((await report([], randomUUID(), await env.person())).code).toBe(401)
  })
})
