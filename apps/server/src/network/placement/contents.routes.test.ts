import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { checkContents, lockContents } from './contents-repository.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

it('contents become due in the order in which audits lock them, so the two do not deadlock', async () => {
  const at = new Date(env.clock.now())
  // The last one in order is the first one in the table.
  for (const cid of ['z', 'a'])
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 1, 1, ${at})`)
  let due: Promise<number> | undefined
  await env.db.transaction(async (tx) => {
    await lockContents(tx, ['a'])
    due ??= checkContents(env.db, ['a', 'z'], at)
    const waits = () =>
      env.db.maybe(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    await expect.poll(waits).toBeDefined()
    await lockContents(tx, ['z'])
  })
  expect(await due).toBe(2)
})
