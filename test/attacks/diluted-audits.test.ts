import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordAuditResults } from '../../apps/server/src/network/audits/service.ts'
import { reviewStanding } from '../../apps/server/src/network/audits/standing.ts'
import { timesOf } from '../../apps/server/src/network/nodes/times.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** An edge that pulls new copies all the time, passes their first audits, and then deletes them. */

let env: TestEnv
beforeAll(async () => {
  env = await setup({ pace: 'usual' })
})
afterAll(() => env.close())

it('an edge does not hide that it lost its copies behind the audits of new ones', async () => {
  const validators = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })]
  const edge = await env.node({ kind: 'edge', vetted: true })
  const copies = (state: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const cid = `bafkrei${randomUUID()}`
        const at = new Date(env.clock.now())
        await env.db.run(sql`
          insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 10, 1, ${at})`)
        await env.db.run(sql`
          insert into replicas (cid, node_id, state, pulled, changed_at) values (${cid}, ${edge.id}, ${state}, true, ${at})`)
        return cid
      }),
    )
  const audit = async (by: readonly { id: string }[], cids: readonly string[], passed: boolean) => {
    for (const { id: validator } of by) {
      const at = new Date(env.clock.now())
      await env.db.run(sql`update nodes set seen_at = ${at} where id = ${edge.id}`)
      const audits = cids.map((cid) => ({ id: randomUUID(), cid }))
      for (const { id, cid } of audits)
        await env.db.run(sql`
          insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
          values (${id}, ${cid}, ${edge.id}, ${validator}, 0.5, 'open', ${at}, ${at})`)
      const results = audits.map(({ id }) => ({ id, passed, error: '', ms: 1, bytes: 10 }))
      expect(await recordAuditResults(env.context, validator, results)).toBe(cids.length)
    }
  }
  for (const lost of await copies('stored', 3)) {
    await audit(validators.slice(0, 1), await copies('unverified', 20), true)
    await audit(validators, [lost], false)
    env.pass(timesOf({ pace: 'usual' }).outage + 1000)
  }
  await reviewStanding(env.context)
  expect(await env.db.one(sql`select status, vetted_at is null as untrusted from nodes where id = ${edge.id}`)).toEqual(
    { status: 'abnormal', untrusted: true },
  )
})
