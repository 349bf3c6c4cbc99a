import { Readable } from 'node:stream'
import type { Transfer } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Context } from '../context.ts'
import { countOnline, transfersAfter } from './repository.ts'

/** Maximum listeners per server and per client network. */
export const LISTENERS = 500
export const LISTENERS_PER_IP = 10
/** A listener with more unread bytes is disconnected. */
const BUFFER_MAX = 64 * 1024
const SNAPSHOT = 20
/** Transfers sent per poll; the rest is skipped. */
const BATCH = 100
/** A transaction can commit after others with higher ids. Ids that were skipped are queried for this many more polls. */
const LATE_POLLS = 5
const COMMENT_MS = 15_000

type Deps = Pick<Context, 'db' | 'config' | 'log'>

interface Listener {
  clientNetwork: string
  stream: Readable
  /** The snapshot was sent; events follow. */
  ready: boolean
}

/** Streams transfers and node counts. All servers read the same table, so every server sends the same events. */
export interface Live {
  /** A stream of server-sent events; undefined if there are too many listeners. */
  listen(ip: string): Promise<Readable | undefined>
  stop(): void
}

const event = (name: string, data: unknown, id?: number): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

export function createLive({ db, config, log }: Deps): Live {
  const pollMs = config.pace === 'quick' ? 100 : 1000
  const listeners = new Set<Listener>()
  let feed: Feed | undefined
  let starting: Promise<Feed> | undefined
  let stopped = false

  const remove = (listener: Listener) => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    feed?.end()
    feed = undefined
    starting = undefined
  }
  const broadcast = (text: string) => {
    for (const { stream, ready } of listeners)
      if (ready && !stream.push(text) && stream.readableLength > BUFFER_MAX) stream.destroy()
  }
  const join = async (): Promise<Feed> => {
    starting ??= createFeed({ db, log, pollMs, broadcast })
    const mine = starting
    const started = await mine.catch((error: unknown) => {
      if (starting === mine) starting = undefined
      throw error
    })
    // All listeners may have left while the feed started; later ones have started another feed.
    if (starting === mine) feed = started
    else started.end()
    return started
  }

  return {
    async listen(ip) {
      const clientNetwork = clientNetworkOf(ip)
      const ofClient = [...listeners].filter((other) => other.clientNetwork === clientNetwork).length
      if (stopped || listeners.size >= LISTENERS || ofClient >= LISTENERS_PER_IP) return undefined
      const listener: Listener = {
        clientNetwork,
        stream: new Readable({ read() {}, highWaterMark: 16 * 1024 }),
        ready: false,
      }
      // The listener counts from now on and gets events once the feed has started.
      listeners.add(listener)
      listener.stream.once('close', () => remove(listener))
      try {
        const started = await join()
        listener.stream.push(`retry: 3000\n\n${started.snapshot()}`)
        listener.ready = true
        if (stopped) listener.stream.push(null)
        return listener.stream
      } catch (error) {
        listener.stream.destroy()
        throw error
      }
    },
    stop() {
      stopped = true
      for (const { stream } of listeners) stream.push(null)
      feed?.end()
    },
  }
}

interface Feed {
  snapshot(): string
  end(): void
}

/** Polls the table while there are listeners. */
async function createFeed({
  db,
  log,
  pollMs,
  broadcast,
}: Pick<Deps, 'db' | 'log'> & { pollMs: number; broadcast: (text: string) => void }): Promise<Feed> {
  let recent = (await transfersAfter(db, 0, SNAPSHOT)).reverse()
  let online = await countOnline(db)
  let highest = recent.at(-1)?.id ?? 0
  // All transfers up to this id were sent.
  let settled = Math.max(0, (recent[0]?.id ?? 1) - 1)
  const sent = new Set(recent.map(({ id }) => id))
  const marks: number[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let failing = false
  let commentedAt = performance.now()

  const poll = async () => {
    const fresh: Transfer[] = (await transfersAfter(db, settled, BATCH)).filter(({ id }) => !sent.has(id)).reverse()
    for (const transfer of fresh) {
      sent.add(transfer.id)
      highest = Math.max(highest, transfer.id)
      broadcast(event('transfer', transfer, transfer.id))
    }
    recent = [...recent, ...fresh].slice(-SNAPSHOT)
    marks.push(highest)
    if (marks.length > LATE_POLLS) settled = Math.max(settled, marks.shift() ?? 0)
    for (const id of sent) if (id <= settled) sent.delete(id)
    const count = await countOnline(db)
    if (count !== online) broadcast(event('nodes', { online: count }))
    online = count
    if (performance.now() - commentedAt < COMMENT_MS) return
    broadcast(': still here\n\n')
    commentedAt = performance.now()
  }
  const run = async () => {
    await poll().then(
      () => {
        failing = false
      },
      (error: unknown) => {
        if (!failing && !ended) log.warn({ err: error }, 'could not read transfers; retrying')
        failing = true
      },
    )
    if (!ended) schedule()
  }
  const schedule = () => {
    timer = setTimeout(run, pollMs)
    timer.unref()
  }
  schedule()

  return {
    snapshot: () => event('snapshot', { transfers: recent, online }, highest || undefined),
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}
