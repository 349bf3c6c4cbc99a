import type { Logger } from '@tidenet/daemon'
import pg from 'pg'
import { createErrorLog } from './connection-errors.ts'
import type { Sql } from './sql.ts'
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts'

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
/** Runs what talks to the database, and tells one that is away from one that answered an error. */
type Watched = <T>(work: () => Promise<T>) => Promise<T>

function statements(on: Queryable, watched: Watched): Omit<Db, 'transaction'> {
  const query = (statement: Sql) => watched(() => on.query(statement.text, statement.values))
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
/** As many calls may wait for a connection: whoever comes later would wait in vain for as long as it may take. */
const WAITING_MAX = 1000

interface DbOptions {
  /** Connections; small pools are faster on hot rows. */
  max?: number
  /** How long a caller waits for a connection, ms. */
  waitMs?: number
  /** Told once when the database goes away, and once when it is back, and of connections that break. */
  log: Pick<Logger, 'debug' | 'info' | 'warn'>
}

/** Connects to PostgreSQL. What cannot reach it throws `DatabaseUnavailable`. */
export function createDb(url: string, { max = 16, waitMs = 10_000, log }: DbOptions): Pool {
  const pool = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: waitMs })
  let away = false
  const lost = (error: unknown) => {
    if (!away && !pool.ended) log.warn({ err: error }, 'the database does not answer; calls are refused until it does')
    away = true
    return error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error)
  }
  const watched: Watched = async (work) => {
    try {
      const done = await work()
      if (away) log.info('the database answers again')
      away = false
      return done
    } catch (error) {
      throw isUnavailable(error) ? lost(error) : error
    }
  }
  const roomInQueue = () => {
    if (pool.waitingCount >= WAITING_MAX)
      throw new DatabaseUnavailable(new Error('too many calls wait for a connection'))
  }
  const note = createErrorLog(log)
  // A connection that breaks (PostgreSQL restarts) is replaced by the pool; without listeners it would end the process. Of an idle one
  // the pool tells a second time.
  pool.on('error', () => {})
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (pool.ended) return
      note(error)
      if (isUnavailable(error)) lost(error)
    }),
  )
  const queued: Queryable = {
    query: ((text: string, values: unknown[]) => {
      roomInQueue()
      return pool.query(text, values)
    }) as pg.Pool['query'],
  }
  return {
    ...statements(queued, watched),
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const client = await watched(async () => {
          roomInQueue()
          return pool.connect()
        })
        let broken: Error | undefined
        try {
          await watched(() => client.query('begin'))
          const tx: Db = { ...statements(client, watched), transaction: (inner) => inner(tx) }
          const result = await work(tx)
          await watched(() => client.query('commit'))
          return result
        } catch (error) {
          await client.query('rollback').catch((failure: Error) => {
            log.debug({ err: failure }, 'a transaction was not rolled back: its connection is closed')
            broken = failure
          })
          if (attempt >= 5 || !RETRIED.has((error as { code?: string }).code ?? '')) throw error
        } finally {
          client.release(broken)
        }
      }
    },
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

/** Whether a value given as text was none of its type. */
export const isDataException = (error: unknown): boolean => ((error as { code?: string }).code ?? '').startsWith('22')

/** Whether an insert met an existing row of this unique constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string }
  return code === '23505' && name === constraint
}
