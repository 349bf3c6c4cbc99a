import type { Logger } from '@tidenet/daemon'
import type { Db } from '../../platform/db/db.ts'
import { createListener } from '../../platform/db/listen.ts'
import { sql } from '../../platform/db/sql.ts'

/** Wakes up held heartbeats of all servers when there may be work, with NOTIFY of the transaction that created the work. */

/** The payload is a node id, or `ALL`. */
export const CHANNEL = 'node_work'
const ALL = '*'

/** Notifications for one node. */
export interface WorkSubscription {
  /** How many subscriptions the node has on this server, with this one. */
  readonly ofNode: number
  /** Waits until a notification arrived since the last wait, for at most `ms` or until `signal` aborts. @returns whether one arrived */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
  close(): void
}

export interface WorkSignal {
  subscribe(nodeId: string): WorkSubscription
  /** The server is stopping: heartbeats are answered at once, without a query for work. */
  readonly stopped: boolean
  start(): Promise<void>
  stop(): Promise<void>
}

/** Wakes up the heartbeats of these nodes when the transaction commits. */
export async function notifyNodes(tx: Db, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length > 0)
    await tx.rows(sql`select pg_notify(${CHANNEL}, id) from unnest(${[...new Set(nodeIds)]}::text[]) id`)
}

/** Wakes up the heartbeats of every node when the transaction commits. */
export const notifyAllNodes = (tx: Db) => tx.rows(sql`select pg_notify(${CHANNEL}, ${ALL})`)

/** Listens on its own connection and reconnects if it breaks. */
export function createWorkSignal(databaseUrl: string, log: Logger): WorkSignal {
  const listeners = new Map<string, Set<() => void>>()
  let stopped = false

  const wakeUp = (nodeId: string) => {
    for (const listener of listeners.get(nodeId) ?? []) listener()
  }
  const wakeUpAll = () => {
    for (const nodeId of [...listeners.keys()]) wakeUp(nodeId)
  }
  const connection = createListener(databaseUrl, {
    channels: [CHANNEL],
    log,
    lost: 'lost the connection that listens for work; nodes get work a little later',
    onNotification: (_, nodeId) => (nodeId === ALL ? wakeUpAll() : wakeUp(nodeId)),
    onConnected: wakeUpAll,
  })

  return {
    subscribe(nodeId) {
      let notified = false
      let wake: (() => void) | undefined
      const listener = () => {
        notified = true
        wake?.()
      }
      const ofNode = listeners.get(nodeId) ?? new Set()
      listeners.set(nodeId, ofNode.add(listener))
      return {
        ofNode: ofNode.size,
        async wait(ms, signal) {
          if (!notified && !stopped && !signal.aborted)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms)
              wake = () => {
                clearTimeout(timer)
                resolve()
              }
              signal.addEventListener('abort', wake, { once: true })
            })
          const result = notified
          notified = false
          wake = undefined
          return result
        },
        close() {
          ofNode.delete(listener)
          if (ofNode.size === 0 && listeners.get(nodeId) === ofNode) listeners.delete(nodeId)
        },
      }
    },
    get stopped() {
      return stopped
    },
    start: connection.start,
    async stop() {
      stopped = true
      wakeUpAll()
      await connection.stop()
    },
  }
}
