import { useEffect, useState } from 'react'
import type { MapArc } from '../../ui/world-map-types.ts'
import { listen } from './live.ts'
import type { ExplorerTransfer } from './types.ts'

/** Of what moved lately, so many are kept. */
const KEPT = 40
/** As many travel on the map at a time, and so many lines stay as a trace of what went before. */
const MOVING = 16
const TRACES = 10
/** How long something counts as moving: its way, and a moment to see it arrive. */
const MOVING_MS = 4000
/** News of a moment are shown together: a folder of a thousand files is no reason to draw a thousand times. */
const GATHER_MS = 200

export interface Live {
  /** Whether news are coming. */
  open: boolean
  online: number | undefined
  /** Newest first: the last ones before one came, and what happened since. */
  transfers: readonly ExplorerTransfer[]
  /** Those that happened while one looked, by id. */
  fresh: ReadonlySet<number>
  arcs: readonly MapArc[]
}

/** What happens on the network while somebody looks. */
export function useLive(): Live {
  const [open, setOpen] = useState(false)
  const [online, setOnline] = useState<number>()
  const [transfers, setTransfers] = useState<readonly ExplorerTransfer[]>([])
  const [moving, setMoving] = useState<readonly ExplorerTransfer[]>([])
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())

  useEffect(() => {
    let gathered: ExplorerTransfer[] = []
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const after = (ms: number, then: () => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        then()
      }, ms)
      timers.add(timer)
    }
    const show = () => {
      const [news, last] = [gathered, gathered.slice(-MOVING)]
      gathered = []
      setTransfers((before) => newest([...news, ...before]))
      setFresh((before) => new Set([...before, ...news.map(({ id }) => id)]))
      setMoving((before) => [...before, ...last].slice(-MOVING))
      after(MOVING_MS, () => setMoving((before) => before.filter((each) => !last.includes(each))))
    }
    const stop = listen({
      onState: setOpen,
      onOnline: setOnline,
      onSnapshot: (list) => setTransfers((before) => newest([...list, ...before])),
      onTransfer: (transfer) => {
        gathered.push(transfer)
        if (gathered.length === 1) after(GATHER_MS, show)
      },
    })
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])

  return { open, online, transfers, fresh, arcs: arcsOf(moving, transfers) }
}

function newest(list: readonly ExplorerTransfer[]): ExplorerTransfer[] {
  const byId = new Map(list.map((each) => [each.id, each]))
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, KEPT)
}

/** What moves now, over the traces of what moved before: one line for each way. */
export function arcsOf(moving: readonly ExplorerTransfer[], transfers: readonly ExplorerTransfer[]): MapArc[] {
  const now = new Set(moving.map(({ id }) => id))
  const traces = new Map<string, MapArc>()
  for (const { id, kind, from, to } of transfers) {
    if (!from || !to || now.has(id) || traces.size >= TRACES) continue
    const way = `${from.lat} ${from.lng} ${to.lat} ${to.lng}`
    if (!traces.has(way)) traces.set(way, { id: way, kind, from, to, still: true })
  }
  const arcs = moving.flatMap(({ id, kind, from, to }): MapArc[] => {
    const [begin, end] = [from ?? to, to ?? from]
    return begin && end ? [{ id, kind, from: begin, to: end }] : []
  })
  return [...traces.values(), ...arcs]
}
