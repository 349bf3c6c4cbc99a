import type { Logger } from '@tidenet/daemon'
import pg from 'pg'
import { createErrorLog } from './connection-errors.ts'
import type { Sql } from './sql.ts'
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts'

// Byte counts and ids stay below 2^53: read bigint as a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Runs statements, inside a transaction or not. */
export interface Db {
  /** All rows. */
  rows<T>(statement: Sql): Promise<T[]>
  /** The only row, or undefined. */
  maybe<T>(statement: Sql): Promise<T | undefined>
  /** The only row. @throws if there is not exactly one */
  one<T>(statement: Sql): Promise<T>
  /** @returns the number of affected rows */
  run(statement: Sql): Promise<number>
  /**
   * Retries after a deadlock, a serialization failure or a change of the schema, so `work` must only touch the database. Statements that do
   * not wait for each other are sent together, and run in the order of the calls.
   */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

export interface Pool extends Db {
  pool: pg.Pool
  close(): Promise<void>
}

/** Runs one statement. */
type Query = (statement: pg.QueryConfig) => Promise<pg.QueryResult>
/** Runs a database call, and throws `DatabaseUnavailable` if the database cannot be reached. */
type Watched = <T>(work: () => Promise<T>) => Promise<T>

function statements(query: Query, watched: Watched): Omit<Db, 'transaction'> {
  const run = ({ name, text, values }: Sql) => watched(() => query({ ...(name && { name }), text, values }))
  return {
    rows: async <T>(statement: Sql) => (await run(statement)).rows as T[],
    maybe: async <T>(statement: Sql) => (await run(statement)).rows[0] as T | undefined,
    async one<T>(statement: Sql) {
      const { rows } = await run(statement)
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${statement.text.slice(0, 120)}`)
      return rows[0] as T
    },
    run: async (statement: Sql) => (await run(statement)).rowCount ?? 0,
  }
}

/** Sends the statements of this tick in one packet; otherwise each costs a system call. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Codes of errors after which a transaction is done again: serialization failure and deadlock. */
export const RETRIED: ReadonlySet<string> = new Set(['40001', '40P01'])
/**
 * Codes of errors of a statement that a connection has prepared, and that it cannot run again: a migration changed the type of its result, or
 * it was deallocated. A new connection can.
 */
const OUTDATED: ReadonlySet<string> = new Set(['0A000', '26000'])
/** Calls that wait for a connection; further calls would time out, so they fail at once. */
const QUEUE_MAX = 1000

interface DbOptions {
  /** Pool size; small pools are faster on hot rows. */
  max?: number
  /** Timeout for getting a connection, ms. */
  waitMs?: number
  log: Pick<Logger, 'debug' | 'info' | 'warn'>
}

/** Connects to PostgreSQL. Calls throw `DatabaseUnavailable` while it cannot be reached. */
export function createDb(url: string, { max = 16, waitMs = 10_000, log }: DbOptions): Pool {
  const limits = { max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: waitMs }
  const pool = new pg.Pool({ connectionString: url, pipeline: true, ...limits })
  let unavailable = false
  const onUnavailable = (error: unknown) => {
    if (!unavailable && !pool.ended)
      log.warn({ err: error }, 'the database is unavailable; calls fail until it returns')
    unavailable = true
    return error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error)
  }
  const watched: Watched = async (work) => {
    try {
      const result = await work()
      if (unavailable) log.info('the database is available again')
      unavailable = false
      return result
    } catch (error) {
      throw isUnavailable(error) ? onUnavailable(error) : error
    }
  }
  const checkQueue = () => {
    if (pool.waitingCount >= QUEUE_MAX) throw new DatabaseUnavailable(new Error('too many calls wait for a connection'))
  }
  const logError = createErrorLog(log)
  // The pool replaces broken connections. Without listeners, their errors would end the process. The pool repeats errors of idle clients.
  pool.on('error', () => {})
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (pool.ended) return
      logError(error)
      if (isUnavailable(error)) onUnavailable(error)
    }),
  )
  const queued: Query = (statement) => {
    checkQueue()
    return pool.query(statement)
  }
  return {
    ...statements(queued, watched),
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const client = await watched(async () => {
          checkQueue()
          return pool.connect()
        })
        let broken: Error | undefined
        let ended = false
        let failed: unknown
        const query: Query = (statement) => {
          // A concurrent statement failed: after the rollback, this one would be committed on its own.
          if (ended) return Promise.reject(new Error('the transaction has ended'))
          sendTogether(client)
          // Statements that were sent with a failing one fail because of it, and their callers may hear first: all get the first failure.
          return client.query(statement).then(
            (result) => {
              failed = undefined
              return result
            },
            (error) => {
              failed ??= error
              throw failed
            },
          )
        }
        const tx: Db = { ...statements(query, watched), transaction: (inner) => inner(tx) }
        try {
          const [, result] = await Promise.all([watched(() => query({ text: 'begin' })), (async () => work(tx))()])
          ended = true
          await watched(() => client.query('commit'))
          return result
        } catch (error) {
          ended = true
          await client.query('rollback').catch((failure: Error) => {
            log.debug({ err: failure }, 'rollback failed; closing the connection')
            broken = failure
          })
          const { code = '' } = error as { code?: string }
          if (OUTDATED.has(code)) broken ??= error as Error
          if (attempt >= 5 || !(RETRIED.has(code) || OUTDATED.has(code))) throw error
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

/** Class 22: a parameter is not a valid value of its type. */
export const isDataException = (error: unknown): boolean => ((error as { code?: string }).code ?? '').startsWith('22')

/** Whether an insert violated this unique constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string }
  return code === '23505' && name === constraint
}
