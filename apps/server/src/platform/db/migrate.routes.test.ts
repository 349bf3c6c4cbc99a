import { StartError } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { migrate } from './migrate.ts'
import { sql } from './sql.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

describe('the schema', () => {
  it('is brought up to date once, however often and by however many servers', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(world.context.db)))
    const rows = await world.db.rows<{ name: string }>(sql`select name from migrations order by name`)
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  })

  it('of another version is refused before anything is served', async () => {
    await world.db.run(sql`update migrations set digest = 'of another version'`)
    await expect(migrate(world.context.db)).rejects.toThrow(StartError)
    await world.db.run(sql`update migrations set digest = null`)
    await expect(migrate(world.context.db)).rejects.toThrow(StartError)
  })
})
