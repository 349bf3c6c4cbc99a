import { createLogger } from '@tidenet/daemon'
import { expect, it } from 'vitest'
import type { Pool } from '../../platform/db/db.ts'
import type { Sql } from '../../platform/db/sql.ts'
import { createLive, LISTENERS_PER_IP } from './live.ts'

/** A database with a hundred new transfers per poll. */
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

const busyLive = () =>
  createLive({
    db: busyDb() as Pool,
    config: { pace: 'quick' } as never,
    log: createLogger('test', 'silent'),
  })

it('disconnects a listener that does not read, without delaying others', async () => {
  const live = busyLive()
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

it('counts all addresses of one IPv6 network together', async () => {
  const live = busyLive()
  for (let host = 1; host <= LISTENERS_PER_IP; host++) expect(await live.listen(`2001:db8:0:1::${host}`)).toBeDefined()
  expect(await live.listen('2001:db8:0:1:ffff::1')).toBeUndefined()
  expect(await live.listen('2001:db8:0:2::1')).toBeDefined()
  live.stop()
})
