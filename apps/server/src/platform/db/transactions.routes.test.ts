import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sql } from './sql.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  await env.db.run(sql`create table marks (n int primary key)`)
})
afterAll(() => env.close())

const marks = async () => (await env.db.rows<{ n: number }>(sql`select n from marks order by n`)).map(({ n }) => n)

describe('statements of a transaction that do not wait for each other', () => {
  it('run in the order of the calls', async () => {
    const found = await env.db.transaction(async (tx) => {
      const [, before, , after] = await Promise.all([
        tx.run(sql`insert into marks values (1)`),
        tx.rows(sql`select n from marks`),
        tx.run(sql`insert into marks values (2)`),
        tx.rows(sql`select n from marks`),
      ])
      return [before.length, after.length]
    })
    expect(found).toEqual([1, 2])
    expect(await marks()).toEqual([1, 2])
  })

  it('leave nothing behind if one of them fails, nor what follows the others', async () => {
    let straggler: Promise<unknown> = Promise.resolve()
    const work = env.db.transaction(async (tx) => {
      straggler = tx.run(sql`insert into marks values (3)`).then(async () => {
        // Until the transaction has ended.
        await work.catch(() => {})
        return tx.run(sql`insert into marks values (4)`)
      })
      straggler.catch(() => {})
      await Promise.all([straggler, tx.run(sql`insert into marks values (1)`)])
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    await expect(straggler).rejects.toThrow()
    expect(await marks()).toEqual([1, 2])
  })

  it('are done again together after a conflict with another transaction', async () => {
    let tries = 0
    const done = await env.db.transaction(async (tx) => {
      tries += 1
      if (tries === 1) await tx.run(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
      await Promise.all([5, 6].map((n) => tx.run(sql`insert into marks values (${n})`)))
      return tries
    })
    expect(done).toBe(2)
    expect(await marks()).toEqual([1, 2, 5, 6])
  })
})
