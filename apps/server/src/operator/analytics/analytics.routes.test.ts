import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { LABELS_A_DAY } from './service.ts'

let env: TestEnv
beforeEach(async () => {
  env = await setup()
})
afterEach(() => env.close())

const counts = () =>
  env.db.rows<{ source: string; medium: string; count: number }>(
    sql`select source, medium, count from event_days order by day, source, medium`,
  )
const count = (input: { name?: string; source?: string; medium?: string }, ip = '10.0.0.1') =>
  env.call('analytics.event', { name: 'ext_download', ...input } as never, { ip })

describe('an event', () => {
  it('increments the count of its day, source and medium', async () => {
    await Promise.all(Array.from({ length: 20 }, () => count({ source: 'blog', medium: 'banner' })))
    await count({})
    env.pass(24 * 3600 * 1000)
    await count({ source: 'blog', medium: 'banner' })
    expect(await counts()).toEqual([
      { source: '', medium: '', count: 1 },
      { source: 'blog', medium: 'banner', count: 20 },
      { source: 'blog', medium: 'banner', count: 1 },
    ])
  })

  it('stores nothing about the visitor and sets no cookie', async () => {
    const answer = await count({ source: 'blog' }, '10.77.0.1')
    expect(answer.headers['set-cookie']).toBeUndefined()
    const columns = await env.db.rows<{ column_name: string }>(
      sql`select column_name from information_schema.columns where table_name = 'event_days' order by 1`,
    )
    expect(columns.map((row) => row.column_name)).toEqual(['count', 'day', 'medium', 'name', 'source'])
  })

  it('is counted as other if there are too many sources', async () => {
    await env.db.run(sql`
      insert into event_days (day, name, source, medium, count)
      select ${new Date(env.clock.now()).toISOString().slice(0, 10)}::date, 'ext_download', 's' || i, '', 1
      from generate_series(1, ${LABELS_A_DAY}::int) i`)
    await count({ source: 'new' })
    await count({ source: 's1' })
    const rows = await counts()
    expect(rows).toHaveLength(LABELS_A_DAY + 1)
    expect(rows.find(({ source }) => source === 'other')?.count).toBe(1)
    expect(rows.find(({ source }) => source === 's1')?.count).toBe(2)
  })
})

describe('refused are', () => {
  it.each([{ name: 'page_view' }, { source: 'a'.repeat(65) }, { medium: 'a'.repeat(65) }])('%o', async (input) => {
    expect(await count(input)).toMatchObject({ code: -1, err: 1001 })
    expect(await counts()).toEqual([])
  })

  it('more than thirty in a minute from one address', async () => {
    const statuses: number[] = []
    for (let each = 0; each < 50; each++) statuses.push((await count({}, '10.0.0.9')).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})
