import type { Logger } from '@tidenet/daemon'
import pg from 'pg'

/** One connection per listener, on which PostgreSQL announces what transactions of all servers sent with `pg_notify`. */
export interface Listener {
  /** False: notifications are being missed. */
  readonly connected: boolean
  start(): Promise<void>
  stop(): Promise<void>
}

interface Options {
  channels: readonly string[]
  log: Pick<Logger, 'warn'>
  /** What is late while the connection is lost, for the log. */
  lost: string
  onNotification(channel: string, payload: string): void
  /** After every connect: notifications may have been missed. */
  onConnected(): void
}

const RECONNECT_MS = 1000
/** A connection whose server went away without a word is found by a query at this interval. */
const PING_MS = 15_000

/** Listens on its own connection and reconnects if it breaks. */
export function createListener(databaseUrl: string, options: Options): Listener {
  const { channels, log } = options
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let ping: NodeJS.Timeout | undefined
  let stopped = false

  const connect = async () => {
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
    })
    const lost = (error?: Error) => {
      if (client !== fresh) return
      client = undefined
      clearInterval(ping)
      fresh.end().catch(() => {})
      if (stopped) return
      log.warn({ err: error }, options.lost)
      scheduleReconnect()
    }
    fresh.on('error', lost)
    fresh.on('end', () => lost())
    fresh.on('notification', ({ channel, payload }) => {
      if (payload) options.onNotification(channel, payload)
    })
    try {
      await fresh.connect()
      for (const channel of channels) await fresh.query(`listen ${channel}`)
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    if (stopped) {
      await fresh.end()
      return
    }
    client = fresh
    ping = setInterval(() => fresh.query('select 1').catch(lost), PING_MS)
    ping.unref()
    options.onConnected()
  }
  const scheduleReconnect = () => {
    clearTimeout(retry)
    retry = setTimeout(() => {
      connect().catch(() => {
        if (!stopped) scheduleReconnect()
      })
    }, RECONNECT_MS)
    retry.unref()
  }

  return {
    get connected() {
      return client !== undefined
    },
    start: () => connect().catch(scheduleReconnect),
    async stop() {
      stopped = true
      clearTimeout(retry)
      clearInterval(ping)
      const old = client
      client = undefined
      await old?.end().catch(() => {})
    },
  }
}
