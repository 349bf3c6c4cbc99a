import { createLogger } from '@tidenet/daemon'
import { expect, it } from 'vitest'
import type { Pool } from '../db/db.ts'
import type { Sql } from '../db/sql.ts'
import { createLive } from './live.ts'

/** A network in which a hundred transfers happen between any two looks. */
function busyDb(): Pick<Pool, 'rows' | 'one'> {
  let id = 0
  return {
    rows: async <T>(_: Sql) =>
      Array.from({ length: 100 }, () => ({
        id: ++id,
        kind: 'upload',
        size: 1,
        at: new Date(),
        from_area: null,
        to_area: null,
      })).reverse() as T[],
    one: async <T>() => ({ online: 1 }) as T,
  }
}

it('a reader that does not read is dropped, and makes nobody else wait', async () => {
  const live = createLive({
    db: busyDb() as Pool,
    config: { environment: 'test' } as never,
    log: createLogger('test', 'silent'),
  })
  const [slow, quick] = [await live.listen('a'), await live.listen('b')]
  let heard = 0
  quick?.on('data', (text) => {
    heard += text.length
  })
  await expect.poll(() => slow?.destroyed, { timeout: 5000 }).toBe(true)
  expect(quick?.destroyed).toBe(false)
  const before = heard
  await expect.poll(() => heard).toBeGreaterThan(before)
  live.stop()
  expect(await live.listen('a')).toBeUndefined()
})
