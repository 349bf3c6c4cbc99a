import { Readable } from 'node:stream'
import type { Transfer } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Context } from '../context.ts'
import { countOnline, transfersAfter } from './repository.ts'

/** How many listen to one server, and from one address; of IPv6 from one network. */
export const LISTENERS = 500
export const LISTENERS_PER_IP = 10
/** What waits for a reader; one that lets more gather is too slow. */
const WAITING_MAX = 64 * 1024
const SNAPSHOT = 20
/** Told at a time; when more move within a moment nobody can tell them apart. */
const AT_ONCE = 100
/** A number can be given out long before its transaction ends: for so many looks those that were passed over may still come. */
const LATE_LOOKS = 5
const COMMENT_MS = 15_000

type Needs = Pick<Context, 'db' | 'config' | 'log'>

interface Listener {
  network: string
  stream: Readable
  /** It has the snapshot: what happens from now on is news to it. */
  ready: boolean
}

/** Tells listeners what moves in the network. All servers read the same table, so it does not matter where one listens. */
export interface Live {
  /** A stream of server-sent events, or nothing when too many listen. */
  listen(ip: string): Promise<Readable | undefined>
  stop(): void
}

const event = (name: string, data: unknown, id?: number): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

export function createLive({ db, config, log }: Needs): Live {
  const lookMs = config.pace === 'quick' ? 100 : 1000
  const listeners = new Set<Listener>()
  let feed: Feed | undefined
  let beginning: Promise<Feed> | undefined
  let stopped = false

  const remove = (listener: Listener) => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    feed?.end()
    feed = undefined
    beginning = undefined
  }
  const tell = (text: string) => {
    for (const { stream, ready } of listeners)
      if (ready && !stream.push(text) && stream.readableLength > WAITING_MAX) stream.destroy()
  }
  const join = async (): Promise<Feed> => {
    beginning ??= createFeed({ db, log, lookMs, tell })
    const mine = beginning
    const begun = await mine.catch((error: unknown) => {
      if (beginning === mine) beginning = undefined
      throw error
    })
    // Everybody may have left while it began; who came since has a feed of their own.
    if (beginning === mine) feed = begun
    else begun.end()
    return begun
  }

  return {
    async listen(ip) {
      const network = clientNetworkOf(ip)
      const fromHere = [...listeners].filter((other) => other.network === network).length
      if (stopped || listeners.size >= LISTENERS || fromHere >= LISTENERS_PER_IP) return undefined
      const listener: Listener = {
        network,
        stream: new Readable({ read() {}, highWaterMark: 16 * 1024 }),
        ready: false,
      }
      // Counted from now on; told once the feed has begun.
      listeners.add(listener)
      listener.stream.once('close', () => remove(listener))
      try {
        const begun = await join()
        listener.stream.push(`retry: 3000\n\n${begun.snapshot()}`)
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

/** Looks again and again, as long as somebody listens. */
async function createFeed({
  db,
  log,
  lookMs,
  tell,
}: Pick<Needs, 'db' | 'log'> & { lookMs: number; tell: (text: string) => void }): Promise<Feed> {
  let recent = (await transfersAfter(db, 0, SNAPSHOT)).reverse()
  let online = await countOnline(db)
  let highest = recent.at(-1)?.id ?? 0
  let looked = Math.max(0, (recent[0]?.id ?? 1) - 1)
  const told = new Set(recent.map(({ id }) => id))
  const marks: number[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let failing = false
  let commented = performance.now()

  const look = async () => {
    const fresh: Transfer[] = (await transfersAfter(db, looked, AT_ONCE)).filter(({ id }) => !told.has(id)).reverse()
    for (const transfer of fresh) {
      told.add(transfer.id)
      highest = Math.max(highest, transfer.id)
      tell(event('transfer', transfer, transfer.id))
    }
    recent = [...recent, ...fresh].slice(-SNAPSHOT)
    marks.push(highest)
    if (marks.length > LATE_LOOKS) looked = Math.max(looked, marks.shift() ?? 0)
    for (const id of told) if (id <= looked) told.delete(id)
    const count = await countOnline(db)
    if (count !== online) tell(event('nodes', { online: count }))
    online = count
    if (performance.now() - commented < COMMENT_MS) return
    tell(': still here\n\n')
    commented = performance.now()
  }
  const run = async () => {
    await look().then(
      () => {
        failing = false
      },
      (error: unknown) => {
        if (!failing && !ended) log.warn({ err: error }, 'transfers cannot be told of; will try again')
        failing = true
      },
    )
    if (!ended) plan()
  }
  const plan = () => {
    timer = setTimeout(run, lookMs)
    timer.unref()
  }
  plan()

  return {
    snapshot: () => event('snapshot', { transfers: recent, online }, highest || undefined),
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}
