import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { createDb, type Pool } from './db.ts'
import { prepared, sql } from './sql.ts'

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

  it('are done again if what fails because of the conflict is heard before it', async () => {
    let tries = 0
    const done = await env.db.transaction(async (tx) => {
      tries += 1
      if (tries > 1) return tries
      const conflict = tx.run(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
      const other = tx.run(sql`insert into marks values (7)`)
      const later = conflict.catch(async (error) => {
        await other.catch(() => {})
        throw error
      })
      await Promise.all([later, other])
      return 0
    })
    expect(done).toBe(2)
  })
})

describe('a connection', () => {
  let one: Pool
  beforeAll(() => {
    one = createDb(env.context.config.databaseUrl, { max: 1, log: env.context.log })
  })
  afterAll(() => one.close())

  it('prepares a statement again whose preparation failed together with another statement', async () => {
    const add = (n: number) => prepared`insert into marks values (${n})`
    const both = (first: number) =>
      one.transaction((tx) =>
        Promise.all([tx.run(sql`insert into marks values (${first})`), tx.run(add(first + 1)), tx.run(add(first + 2))]),
      )
    await expect(both(1)).rejects.toMatchObject({ code: '23505' })
    await both(10)
    expect(await marks()).toEqual([1, 2, 5, 6, 10, 11, 12])
  })

  it('is replaced if a migration changed what its prepared statements result in', async () => {
    const all = () => one.transaction((tx) => tx.rows(prepared`select * from marks where n = 1`))
    expect(await all()).toEqual([{ n: 1 }])
    await env.db.run(sql`alter table marks add column note text`)
    expect(await all()).toEqual([{ n: 1, note: null }])
  })

  it('that dies fails only the call that used it', async () => {
    const unheard: unknown[] = []
    const note = (error: unknown) => void unheard.push(error)
    process.on('unhandledRejection', note)
    const client = await one.pool.connect()
    client.release()
    const work = one.transaction(() => {
      client.connection.stream.destroy()
      throw new Error('refused')
    })
    await expect(work).rejects.toThrow()
    expect(await one.rows(sql`select 1 as n`)).toEqual([{ n: 1 }])
    process.off('unhandledRejection', note)
    expect(unheard).toEqual([])
  })
})
