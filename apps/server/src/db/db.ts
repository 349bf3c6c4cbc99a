import pg from 'pg'
import type { Sql } from './sql.ts'

// Byte counts and ids stay below 2^53: read bigint as a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Statements against PostgreSQL, inside a transaction or not. */
export interface Db {
  /** All rows. */
  rows<T>(statement: Sql): Promise<T[]>
  /** The only row, or undefined. */
  maybe<T>(statement: Sql): Promise<T | undefined>
  /** The only row; none is an error of ours. */
  one<T>(statement: Sql): Promise<T>
  /** Runs it and says how many rows it touched. */
  run(statement: Sql): Promise<number>
  /** One transaction; a deadlock or a lost race for a row is tried again, so `work` must only touch the database. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

export interface Pool extends Db {
  pool: pg.Pool
  close(): Promise<void>
}

type Queryable = Pick<pg.Pool, 'query'>

function statements(on: Queryable): Omit<Db, 'transaction'> {
  const query = (statement: Sql) => on.query(statement.text, statement.values)
  return {
    rows: async <T>(statement: Sql) => (await query(statement)).rows as T[],
    maybe: async <T>(statement: Sql) => (await query(statement)).rows[0] as T | undefined,
    async one<T>(statement: Sql) {
      const { rows } = await query(statement)
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${statement.text.slice(0, 120)}`)
      return rows[0] as T
    },
    run: async (statement: Sql) => (await query(statement)).rowCount ?? 0,
  }
}

const RETRIED = new Set(['40001', '40P01'])

/** Connects to PostgreSQL. `max` connections; small pools are faster on hot rows. */
export function createDb(url: string, max = 16): Pool {
  const pool = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks (PostgreSQL restarts) is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    ...statements(pool),
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query('begin')
          const tx: Db = { ...statements(client), transaction: (inner) => inner(tx) }
          const result = await work(tx)
          await client.query('commit')
          return result
        } catch (error) {
          await client.query('rollback').catch((failure: Error) => {
            broken = failure
          })
          if (attempt >= 5 || !RETRIED.has((error as { code?: string }).code ?? '')) throw error
        } finally {
          client.release(broken)
        }
      }
    },
    close: () => pool.end(),
  }
}

/** Whether a value given as text was none of its type. */
export const isNoValue = (error: unknown): boolean => ((error as { code?: string }).code ?? '').startsWith('22')

/** Whether an insert met an existing row of this unique constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string }
  return code === '23505' && name === constraint
}
