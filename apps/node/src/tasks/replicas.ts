import type { Input, nodeControl } from '@tidenet/contract'
import { MiB } from '@tidenet/contract/constants'
import type { Logger } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import { asRefusal, Refusal } from '../refusal.ts'
import { type PullEnd, type PullWork, pull } from './pull.ts'
import { fetchTogether, takeTogether } from './pull-together.ts'
import type { Removals } from './removals.ts'
import type { Reporter } from './reporter.ts'
import type { Reach } from './source.ts'

export type ReplicaResult = Input<typeof nodeControl.replicas>['results'][number]

/** Pulls and deletes contents on the server's request. */
export interface Replicas {
  /** Pulls for which there is room; 0 until it is worth a call to the server. */
  capacity(): number
  pulling(): string[]
  pull(work: PullWork): void
  /** @param decided server time of the decision, unix ms */
  remove(cid: string, decided: number): void
  stop(): Promise<void>
}

/** Pulls at a time; small contents of one source are one. */
const AT_A_TIME = 3
const QUEUE = 64
/** Small contents take milliseconds: asking the server for each of them would cost more. */
const ROOM_MIN = QUEUE / 2
/** As long as contents are not small, each may take minutes: others should not wait here for their turn. */
const SMALL_SIZE = MiB
const LARGE_QUEUE = 16
/** No space; no other reason refuses a pull with this status. */
const FULL = 503

/** @param onCapacity called when a pull ends */
export function createReplicas(options: {
  store: ContentStore
  removals: Removals
  reporter: Reporter<ReplicaResult>
  reach: Reach
  log: Logger
  onCapacity: () => void
}): Replicas {
  const { store, removals, reporter, reach, log, onCapacity } = options
  const stopped = new AbortController()
  const queue: PullWork[] = []
  const running = new Map<string, { end: Promise<void>; cancel: AbortController }>()
  let pulls = 0
  let due = false
  /** Of the latest contents; unknown at first. */
  let usualSize = Number.MAX_SAFE_INTEGER

  const run = async (work: PullWork, signal: AbortSignal) => {
    const { cid } = work
    const known = store.get(cid)
    if (known) {
      reporter.add({ cid, state: 'stored', size: known.size })
      return
    }
    const end: PullEnd & { full?: boolean } = await pull(work, store, reach, signal).catch((failure: unknown) => {
      const error = asRefusal(failure)
      if (!(error instanceof Refusal)) return { bad: [], error: String(error) }
      return { bad: [], error: error.message, full: error.status === FULL }
    })
    // Aborted pulls are not reported; the server assigns them again.
    if (signal.aborted) return
    const held = store.get(cid)
    const bad_sources = end.bad.slice(0, 60)
    if (held) reporter.add({ cid, state: 'stored', size: held.size, source: end.source ?? '', bad_sources })
    else {
      log.warn({ cid, error: end.error }, 'a content could not be pulled')
      reporter.add({
        cid,
        state: 'failed',
        error: (end.error ?? '').slice(0, 500),
        full: end.full ?? false,
        bad_sources,
      })
    }
  }
  const capacity = () => {
    const taken = queue.length + running.size
    if (usualSize > SMALL_SIZE) return Math.max(0, LARGE_QUEUE - taken)
    return QUEUE - taken >= ROOM_MIN ? QUEUE - taken : 0
  }
  const runAll = async (group: readonly PullWork[], cancels: ReadonlyMap<PullWork, AbortController>) => {
    const missing = group.filter(({ cid }) => !store.get(cid))
    const fetched = missing.length > 1 ? await fetchTogether(missing, reach, stopped.signal) : new Map()
    const isOver = (work: PullWork) => stopped.signal.aborted || cancels.get(work)?.signal.aborted === true
    const keep = async (work: PullWork, bytes: Uint8Array): Promise<boolean> => {
      const { cid, size, sources } = work
      try {
        await store.keepSmall({ cid, bytes })
      } catch {
        // Pulled alone, it fails with the reason.
        return false
      }
      reporter.add({ cid, state: 'stored', size, source: sources[0]?.node_id ?? '', bad_sources: [] })
      return true
    }
    const left = await Promise.all(
      group.map(async (work) => {
        const bytes = fetched.get(work.cid)
        if (!bytes || isOver(work)) return [work]
        return (await keep(work, bytes)) ? [] : [work]
      }),
    )
    for (const work of left.flat()) {
      const cancel = cancels.get(work) as AbortController
      if (isOver(work)) continue
      await run(work, AbortSignal.any([stopped.signal, cancel.signal])).catch((error: unknown) =>
        log.error({ err: error, cid: work.cid }, 'a pull failed'),
      )
    }
  }
  const next = () => {
    while (pulls < AT_A_TIME && !stopped.signal.aborted) {
      const group = takeTogether(queue)
      if (group.length === 0) return
      const cancels = new Map(group.map((work) => [work, new AbortController()]))
      pulls += 1
      const end = runAll(group, cancels)
        .catch((error: unknown) => log.error({ err: error }, 'pulls failed'))
        .finally(() => {
          pulls -= 1
          for (const { cid } of group) running.delete(cid)
          next()
          if (capacity() > 0) onCapacity()
        })
      for (const [{ cid }, cancel] of cancels) running.set(cid, { end, cancel })
    }
  }
  /** After all the work that comes in the same answer of the server: small contents are pulled together. */
  const nextSoon = () => {
    if (due) return
    due = true
    setImmediate(() => {
      due = false
      next()
    })
  }
  const remove = async (cid: string, decided: number) => {
    const waiting = queue.findIndex((work) => work.cid === cid)
    if (waiting >= 0) queue.splice(waiting, 1)
    const pulling = running.get(cid)
    pulling?.cancel.abort()
    await pulling?.end
    await removals.remove(cid, decided, () => reporter.add({ cid, state: 'removed' }))
  }

  return {
    capacity,
    pulling: () => [...running.keys(), ...queue.map((work) => work.cid)],
    pull(work) {
      if (running.has(work.cid) || queue.some((waiting) => waiting.cid === work.cid)) return
      usualSize = Math.min(usualSize, 16 * SMALL_SIZE) * 0.8 + work.size * 0.2
      queue.push(work)
      nextSoon()
    },
    remove(cid, decided) {
      remove(cid, decided).catch((error: unknown) => log.error({ err: error, cid }, 'a content could not be removed'))
    },
    async stop() {
      stopped.abort()
      queue.length = 0
      await Promise.all([...running.values()].map(({ end }) => end))
    },
  }
}
