import { ACCELERATIONS_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { reviewDue } from '../../apps/server/src/storage/acceleration/review.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Who could gain by acceleration: accounts that want more copies, nodes that want to be first, and readers that lie about times. */

let env: TestEnv
let honest: Awaited<ReturnType<TestEnv['node']>>
let liar: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup({ replicas: 3 })
  const area = 'Asia-Japan-Tokyo-Tokyo'
  honest = await env.node({ area })
  liar = await env.node({ kind: 'edge', vetted: true })
})
afterAll(() => env.close())

const JAPAN = '133.11.0.'
let networks = 0
/** The person at an address that no other test uses: calls per address are limited. */
const at = ({ token }: Person) => ({ token, ip: `10.77.0.${++networks}` })
const together = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))
const switches = async ({ id }: Person): Promise<number> =>
  (await env.db.one<{ count: number }>(sql`select count(*) from accelerations where user_id = ${id}`)).count
const codes = (answers: readonly { code: number; err?: number }[]) =>
  answers.filter(({ code }) => code !== 0).map(({ err }) => err)

async function shared(owner: Person): Promise<string> {
  const { cid } = await sampleFile(env.db, owner.id, { nodes: [honest, liar] })
  await env.call('shares.create', { cid }, owner)
  await env.call('shares.setStatus', { cid }, owner)
  return cid
}

/** A visitor opens the file and reports times. */
async function visit(
  owner: Person,
  cid: string,
  ip: string,
  times: { firstByte: number; nodes: { id: string; ms: number }[] },
  reports = 1,
): Promise<void> {
  const { data } = await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid }, { ip })
  env.pass(30_000)
  const report = () =>
    env.call(
      'traces.report',
      {
        trace_id: data.trace_id,
        state: 1,
        transfer_type: 'download',
        cost_ms: 1000,
        total_size: 20,
        first_byte_time: times.firstByte,
        details: times.nodes.map(({ id, ms }) => ({ node_id: id, state: 1, size: 20, end_at: 9, first_byte: ms })),
      },
      { ip },
    )
  await together(reports, report)
}

describe('an account', () => {
  it('accelerates no more files than allowed, however many calls it makes at once', async () => {
    const owner = await env.person({ vip: true })
    const now = new Date(env.clock.now())
    const as = at(owner)
    await env.db.run(sql`
      insert into accelerations (user_id, folder_id, started_at, check_at)
      select ${owner.id}, 1000000 + i, ${now}, ${new Date(now.getTime() + 1e9)} from generate_series(1, ${ACCELERATIONS_MAX - 10}::int) i`)
    const files = await together(100, () => sampleFile(env.db, owner.id))
    const answers = await together(100, (index) =>
      env.call('acceleration.set', { cid: files[index]?.cid ?? '', on: true }, as),
    )
    expect(await switches(owner)).toBe(ACCELERATIONS_MAX)
    expect(codes(answers)).toEqual(Array(90).fill(2111))
  })

  it('accelerates a file once, whatever it repeats', async () => {
    const owner = await env.person({ vip: true })
    const { cid } = await sampleFile(env.db, owner.id)
    const as = at(owner)
    await together(100, (index) => env.call('acceleration.set', { cid, on: index % 2 === 0 }, as))
    expect(await switches(owner)).toBe(1)
  })

  it('has no extra copies beyond its limit, also by folders in folders', async () => {
    const owner = await env.person({ vip: true, storageQuota: 1000 })
    const outer = (await env.call('folders.create', { name: 'outer' }, owner)).data.group.ID
    const inner = (await env.call('folders.create', { name: 'inner', parent: outer }, owner)).data.group.ID
    for (let file = 0; file < 30; file++) await sampleFile(env.db, owner.id, { folder: inner, size: 100 })
    for (const group_id of [outer, inner])
      await env.call('acceleration.set', { group_id, on: true, areas: ['Japan', 'Germany'] }, at(owner))
    await reviewDue(env.context, new AbortController().signal)
    const { used_bytes, limit_bytes } = (await env.call('acceleration.list', {}, owner)).data
    expect(limit_bytes).toBe(1000)
    expect(used_bytes).toBeGreaterThan(0)
    expect(used_bytes).toBeLessThanOrEqual(1000)
  })

  it('learns nothing about files of others, and sends nothing that is too large', async () => {
    const [owner, other] = [await env.person({ vip: true }), await env.person({ vip: true })]
    const { cid } = await sampleFile(env.db, owner.id)
    const as = at(owner)
    await env.call('acceleration.set', { cid, on: true, areas: ['Japan'] }, as)
    const unknown = (await sampleFile(env.db, owner.id)).cid.replace(/.$/, 'a')
    const foreign = await env.call('acceleration.get', { cid }, other)
    expect(foreign).toMatchObject({ code: -1, err: 10028 })
    expect((await env.call('acceleration.get', { cid: unknown }, other)).code).toBe(foreign.code)
    const areas = Array.from({ length: 10_000 }, (_, index) => `Area ${index}`)
    expect(await env.call('acceleration.set', { cid, on: true, areas }, as)).toMatchObject({ code: -1 })
    expect(await env.call('acceleration.set', { cid: 'b'.repeat(100_000), on: true }, as)).toMatchObject({
      code: -1,
    })
    expect(await env.call('acceleration.get', { group_id: 2 ** 31 }, owner)).toMatchObject({ code: -1 })
  })
})

describe('a reader that lies about times', () => {
  it('counts once a day, however often it downloads and reports', async () => {
    const owner = await env.person({ vip: true })
    const cid = await shared(owner)
    for (let time = 0; time < 5; time++)
      await visit(owner, cid, `${JAPAN}7`, { firstByte: 5, nodes: [{ id: liar.id, ms: 1 }] }, 20)
    const { measures } = (await env.call('acceleration.get', { cid }, owner)).data
    expect(measures).toMatchObject([{ area: 'Japan', before: { samples: 1, first_byte: null } }])
  })

  it('does not put its node first, with the addresses of one network', async () => {
    const owner = await env.person({ vip: true })
    const cid = await shared(owner)
    await env.call('acceleration.set', { cid, on: true, areas: ['Japan'] }, at(owner))
    await reviewDue(env.context, new AbortController().signal)
    for (let address = 1; address <= 10; address++)
      await visit(owner, cid, `2400:4050:0:${address}::1`, { firstByte: 5, nodes: [{ id: liar.id, ms: 1 }] })
    for (let reader = 1; reader <= 20; reader++) {
      const { data } = await env.call(
        'downloads.open',
        { user_id: owner.uid, asset_cid: cid },
        { ip: `${JAPAN}${reader}` },
      )
      expect(data.node_ids[0]).toBe(honest.id)
    }
  })

  it('does not measure its own node', async () => {
    const owner = await env.person({ vip: true })
    const own = await env.node({ owner, area: 'SouthAmerica-Brazil-SaoPaulo-SaoPaulo' })
    const { cid } = await sampleFile(env.db, owner.id, { nodes: [own] })
    for (let reader = 1; reader < 6; reader++) {
      const as = { token: owner.token, ip: `${JAPAN}${reader}` }
      const { data } = await env.call('downloads.own', { asset_cid: cid }, as)
      const details = [{ node_id: own.id, state: 1, size: 20, end_at: 9, first_byte: 1 }]
      await env.call(
        'traces.report',
        {
          trace_id: data.trace_id,
          state: 1,
          transfer_type: 'download',
          cost_ms: 1,
          total_size: 1,
          rate: 1,
          first_byte_time: 1,
          details,
        },
        as,
      )
    }
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) from first_bytes where node_id = ${own.id}`,
    )
    expect(count).toBe(0)
  })
})
