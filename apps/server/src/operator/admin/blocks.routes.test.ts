import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStats as stats } from '../../network/control/sample-registration.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { err, reason, sampleOperator } from './sample-operator.fixture.ts'

let env: TestEnv
let operator: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())
const { upload, logged } = sampleOperator(
  () => env,
  () => operator,
)

const block = (cid: string, as: Person = operator) => env.call('admin.block', { cid, category: 'malware', reason }, as)
const unblock = (cid: string, as: Person = operator) => env.call('admin.unblock', { cid, reason }, as)
const keyOf = (cid: string) => createHash('sha256').update(cid).digest('hex')
/** What a node hears that knows the list up to an id; undefined: a node of an earlier release. */
const heard = async (blocked?: number, wait = 0, as = node) =>
  (await env.call('nodeControl.heartbeat', { stats, time: env.clock.now(), ended: 2 ** 40, wait, blocked }, as)).data
const last = async () => (await heard(0)).blocked?.at(-1)?.id ?? 0

describe('a blocked content', () => {
  it('has no sources for its owner, visitors of shares, and others with the same bytes, until the block is lifted', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, owner.id, { text: 'equal bytes', nodes: [node] })
    await sampleFile(env.db, other.id, { text: 'equal bytes' })
    await env.call('shares.setStatus', { cid }, owner)
    const answers = async () => [
      await env.call('downloads.own', { asset_cid: cid }, owner),
      await env.call('downloads.own', { asset_cid: cid }, other),
      await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid }),
      await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid, preview: true }),
    ]
    for (const { code } of await answers()) expect(code).toBe(0)
    expect((await block(cid)).code).toBe(0)
    for (const answer of await answers()) expect(answer).toMatchObject(err('contentBlocked'))
    expect((await unblock(cid)).code).toBe(0)
    for (const { code } of await answers()) expect(code).toBe(0)
  })

  it('is not uploaded again, also if it was blocked before anyone had it', async () => {
    const owner = await env.person()
    const { cid } = await upload(owner)
    await env.call('assets.remove', { asset_cid: cid }, owner)
    expect((await block(cid)).code).toBe(0)
    const input = { asset_name: 'b.txt', asset_cid: cid, asset_size: 20, asset_type: 'file' } as const
    expect(await env.call('assets.create', input, await env.person())).toMatchObject(err('contentBlocked'))
    expect(await env.call('assets.create', { ...input, group_id: -1 }, owner)).toMatchObject(err('contentBlocked'))
  })

  it('is copied to no node, and audited on none; a result that was under way blames nobody', async () => {
    const owner = await env.person()
    const { cid } = await sampleFile(env.db, owner.id, { nodes: [node] })
    const spare = await env.node()
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${spare.id}, 'wanted', ${new Date(env.clock.now())})`)
    const validator = await env.node({ kind: 'validator' })
    await env.db.run(sql`
      insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
      values ('11111111-1111-4111-8111-111111111111', ${cid}, ${node.id}, ${validator.id}, 0, 'open', ${new Date(env.clock.now())}, ${new Date(env.clock.now())})`)
    await block(cid)
    expect((await heard(undefined, 0, spare)).work).toEqual([])
    const results = [{ id: '11111111-1111-4111-8111-111111111111', passed: false, error: 'status 451', ms: 5 }]
    expect((await env.call('nodeControl.audits', { results }, validator)).data).toMatchObject({ accepted: 0 })
    const [replica] = await env.db.rows(
      sql`select state, suspect from replicas where cid = ${cid} and node_id = ${node.id}`,
    )
    expect(replica).toEqual({ state: 'stored', suspect: false })
    await unblock(cid)
    expect((await heard(undefined, 0, spare)).work).toEqual([expect.objectContaining({ type: 'pull', cid })])
  })
})

describe('nodes', () => {
  it('hear of a block at once, without learning which content it is, and of its end', async () => {
    const { cid } = await upload(await env.person())
    const known = await last()
    const waiting = heard(known, 25)
    const { data } = await block(cid)
    const told = await waiting
    expect(told.blocked).toEqual([{ id: data.id, key: keyOf(cid), blocked: true }])
    expect(JSON.stringify(told)).not.toContain(cid)
    const { data: lifted } = await unblock(cid)
    expect((await heard(data.id)).blocked).toEqual([{ id: lifted.id, key: keyOf(cid), blocked: false }])
  })

  it('of earlier releases hear of none, and one that says it knows more than there is hears everything', async () => {
    await block((await upload(await env.person())).cid)
    expect((await heard()).blocked).toEqual([])
    const all = (await heard(0)).blocked
    expect((await heard(2 ** 50)).blocked).toEqual(all)
    expect((await heard(await last())).blocked).toEqual([])
  })
})

describe('blocks', () => {
  it('keep who, when and why, in the list and in the audit log, whatever notation of the CID was given', async () => {
    const { cid } = await sampleFile(env.db, (await env.person()).id, { nodes: [node] })
    const { data } = await block(` ${cid} `)
    expect(data).toMatchObject({ cid, blocked: true, category: 'malware', reason, by: operator.uid })
    const current = async () => (await env.call('admin.blocks', { current: true, cid }, operator)).data.list
    expect(await current()).toHaveLength(1)
    await unblock(cid)
    expect(await current()).toEqual([])
    const { list } = (await env.call('admin.blocks', { cid }, operator)).data
    expect(list.map(({ blocked, by }) => ({ blocked, by }))).toEqual([
      { blocked: false, by: operator.uid },
      { blocked: true, by: operator.uid },
    ])
    expect((await logged(`content:${cid}`)).map(({ action, actor }) => ({ action, actor }))).toEqual([
      { action: 'content.unblock', actor: operator.uid },
      { action: 'content.block', actor: operator.uid },
    ])
  })

  it('are for operators only, with a reason and a valid CID; only blocks that exist are lifted', async () => {
    const { cid } = await upload(await env.person())
    for (const role of ['user', 'agent'] as const) {
      const as = await env.person({ role })
      for (const answer of [await block(cid, as), await unblock(cid, as), await env.call('admin.blocks', {}, as)])
        expect(answer.code).not.toBe(0)
    }
    expect(await env.call('admin.block', { cid, category: 'other', reason: ' ' }, operator)).toMatchObject(
      err('reasonMissing'),
    )
    expect(await block('not a cid')).toMatchObject(err('badCid'))
    expect(await unblock(cid)).toMatchObject(err('notFound'))
    expect((await env.call('admin.blocks', { cid }, operator)).data.list).toEqual([])
  })
})
