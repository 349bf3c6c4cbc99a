import type { Logger } from '@tidenet/daemon'
import pg from 'pg'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Tells a held heartbeat that there is work, across servers: PostgreSQL carries the word when a transaction commits. */

/** Who notifies it of a node's id rings for that node. */
export const CHANNEL = 'node_work'
const RECONNECT_MS = 1000

/** Rings when there may be work for one node. */
export interface Bell {
  /** Resolves when it has rung since the last wait, at the latest after `ms` or when `signal` aborts; true when it has rung. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
  close(): void
}

export interface WorkSignal {
  bell(nodeId: string): Bell
  /** The server ends: nobody waits for work any more, nor asks the database for it. */
  readonly stopped: boolean
  start(): Promise<void>
  stop(): Promise<void>
}

/** Rings for these nodes once the transaction is committed. */
export async function notifyNodes(tx: Db, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length > 0)
    await tx.rows(sql`select pg_notify(${CHANNEL}, id) from unnest(${[...new Set(nodeIds)]}::text[]) id`)
}

/** Listens on a connection of its own, which comes back when it breaks. */
export function createWorkSignal(databaseUrl: string, log: Logger): WorkSignal {
  const bells = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  const ring = (nodeId: string) => {
    for (const one of bells.get(nodeId) ?? []) one()
  }
  const ringAll = () => {
    for (const nodeId of [...bells.keys()]) ring(nodeId)
  }
  const connect = async () => {
    const fresh = new pg.Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5000 })
    const lost = (error?: Error) => {
      if (client !== fresh) return
      client = undefined
      if (stopped) return
      log.warn({ err: error }, 'the word of new work is cut off; nodes hear of it a little later')
      plan()
    }
    fresh.on('error', lost)
    fresh.on('end', () => lost())
    fresh.on('notification', ({ payload }) => {
      if (payload) ring(payload)
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    if (stopped) {
      await fresh.end()
      return
    }
    client = fresh
    // What was said in the meantime was not heard.
    ringAll()
  }
  const plan = () => {
    clearTimeout(retry)
    retry = setTimeout(() => {
      connect().catch(() => {
        if (!stopped) plan()
      })
    }, RECONNECT_MS)
    retry.unref()
  }

  return {
    bell(nodeId) {
      let rung = false
      let wake: (() => void) | undefined
      const one = () => {
        rung = true
        wake?.()
      }
      const ofNode = bells.get(nodeId) ?? new Set()
      bells.set(nodeId, ofNode.add(one))
      return {
        async wait(ms, signal) {
          if (!rung && !stopped && !signal.aborted)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms)
              wake = () => {
                clearTimeout(timer)
                resolve()
              }
              signal.addEventListener('abort', wake, { once: true })
            })
          const ringing = rung
          rung = false
          wake = undefined
          return ringing
        },
        close() {
          ofNode.delete(one)
          if (ofNode.size === 0 && bells.get(nodeId) === ofNode) bells.delete(nodeId)
        },
      }
    },
    get stopped() {
      return stopped
    },
    start: () => connect().catch(plan),
    async stop() {
      stopped = true
      clearTimeout(retry)
      ringAll()
      const old = client
      client = undefined
      await old?.end().catch(() => {})
    },
  }
}
