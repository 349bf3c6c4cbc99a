import { StartError } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { migrate } from './migrate.ts'
import { sql } from './sql.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

describe('migrate', () => {
  it('applies each migration once if several servers start at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(env.context.db)))
    const rows = await env.db.rows<{ name: string }>(sql`select name from migrations order by name`)
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  })

  it('refuses to start with the schema of another version', async () => {
    await env.db.run(sql`update migrations set digest = 'of another version'`)
    await expect(migrate(env.context.db)).rejects.toThrow(StartError)
    await env.db.run(sql`update migrations set digest = null`)
    await expect(migrate(env.context.db)).rejects.toThrow(StartError)
  })
})
