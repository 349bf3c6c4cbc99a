import { useEffect, useState } from 'react'
import type { MapArc } from '../../ui/world-map-types.ts'
import { subscribe } from './live.ts'
import type { ExplorerTransfer } from './types.ts'

/** Recent transfers held in memory. */
const MAX_TRANSFERS = 40
/** Animated arcs on the map, and still arcs of earlier transfers. */
const MAX_MOVING = 16
const MAX_STILL = 10
/** How long an arc is animated. */
const MOVING_MS = 4000
/** Events within this time are rendered together, so that a folder of a thousand files does not cause a thousand renders. */
const BATCH_MS = 200

export interface Live {
  /** Whether the event stream is connected. */
  open: boolean
  online: number | undefined
  /** Newest first: the latest at page load, and everything since. */
  transfers: readonly ExplorerTransfer[]
  /** Ids of transfers that happened since the page was opened. */
  fresh: ReadonlySet<number>
  arcs: readonly MapArc[]
}

/** Live network events. */
export function useLive(): Live {
  const [open, setOpen] = useState(false)
  const [online, setOnline] = useState<number>()
  const [transfers, setTransfers] = useState<readonly ExplorerTransfer[]>([])
  const [moving, setMoving] = useState<readonly ExplorerTransfer[]>([])
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())

  useEffect(() => {
    let batch: ExplorerTransfer[] = []
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const after = (ms: number, then: () => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        then()
      }, ms)
      timers.add(timer)
    }
    const flush = () => {
      const [added, last] = [batch, batch.slice(-MAX_MOVING)]
      batch = []
      setTransfers((before) => newest([...added, ...before]))
      setFresh((before) => new Set([...before, ...added.map(({ id }) => id)]))
      setMoving((before) => [...before, ...last].slice(-MAX_MOVING))
      after(MOVING_MS, () => setMoving((before) => before.filter((each) => !last.includes(each))))
    }
    const unsubscribe = subscribe({
      onState: setOpen,
      onOnline: setOnline,
      onSnapshot: (list) => setTransfers((before) => newest([...list, ...before])),
      onTransfer: (transfer) => {
        batch.push(transfer)
        if (batch.length === 1) after(BATCH_MS, flush)
      },
    })
    return () => {
      unsubscribe()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])

  return { open, online, transfers, fresh, arcs: arcsOf(moving, transfers) }
}

function newest(list: readonly ExplorerTransfer[]): ExplorerTransfer[] {
  const byId = new Map(list.map((each) => [each.id, each]))
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, MAX_TRANSFERS)
}

/** Still arcs of earlier transfers, one per route, then the animated ones. */
export function arcsOf(moving: readonly ExplorerTransfer[], transfers: readonly ExplorerTransfer[]): MapArc[] {
  const now = new Set(moving.map(({ id }) => id))
  const still = new Map<string, MapArc>()
  for (const { id, kind, from, to } of transfers) {
    if (!from || !to || now.has(id) || still.size >= MAX_STILL) continue
    const route = `${from.lat} ${from.lng} ${to.lat} ${to.lng}`
    if (!still.has(route)) still.set(route, { id: route, kind, from, to, still: true })
  }
  const arcs = moving.flatMap(({ id, kind, from, to }): MapArc[] => {
    const [begin, end] = [from ?? to, to ?? from]
    return begin && end ? [{ id, kind, from: begin, to: end }] : []
  })
  return [...still.values(), ...arcs]
}
