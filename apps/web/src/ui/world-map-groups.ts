import type { NodeStatus } from './node-mark.tsx'
import { project, type Spot } from './world-map-projection.ts'

/** What is said of one place on the map: one point, or several that would lie on each other. */
export interface Group<P> {
  id: string
  /** In the map's units. */
  spot: Spot
  points: readonly P[]
  /** How far its outermost mark lies from the middle, in units; 0 for one alone. */
  fan: number
  /** One mark that shows how many stand here. */
  numbered: boolean
}

interface Placed {
  id: string
  lat: number
  lng: number
  status: NodeStatus
  count?: number
}

/** So many points of a place are fanned out; more become one mark with their number. */
export const FANNED = 4

/** Pixels of the screen: what one mark takes, so that a finger can hit it, and what a number takes. */
const MARK = 24
const NUMBER = 34

/** How far marks stand from the middle so that each has its room. Pixels. */
const fanOf = (count: number): number => (count < 2 || count > FANNED ? 0 : MARK / 2 / Math.sin(Math.PI / count))

const isNumbered = (points: readonly Placed[]): boolean =>
  points.length > FANNED || points.some(({ count }) => count !== undefined)

/** How far a group reaches from its middle. Pixels. */
const reach = (points: readonly Placed[]): number => (isNumbered(points) ? NUMBER / 2 : fanOf(points.length) + MARK / 2)

/**
 * Joins points that would cover each other, from west to east.
 * @param unit map units that a pixel of the screen stands for
 */
export function grouped<P extends Placed>(points: readonly P[], unit: number): Group<P>[] {
  // Points of one place first: after that there are as many groups as places, however many points.
  const cells = new Map<string, { spot: Spot; points: P[] }>()
  for (const point of points) {
    const spot = project(point)
    const cell = `${Math.round(spot.x / unit / 8)}:${Math.round(spot.y / unit / 8)}`
    const there = cells.get(cell)
    if (there) join(there, { spot, points: [point] })
    else cells.set(cell, { spot, points: [point] })
  }
  const groups = [...cells.values()]
  for (let again = true; again; ) {
    again = false
    for (let a = 0; a < groups.length; a++)
      for (let b = groups.length - 1; b > a; b--) {
        const [one, other] = [groups[a]!, groups[b]!]
        const apart = Math.hypot(one.spot.x - other.spot.x, one.spot.y - other.spot.y) / unit
        if (apart >= reach(one.points) + reach(other.points)) continue
        join(one, other)
        groups.splice(b, 1)
        again = true
      }
  }
  return groups
    .map(({ spot, points }) => {
      const numbered = isNumbered(points)
      return { id: points[0]!.id, spot, points, numbered, fan: numbered ? 0 : fanOf(points.length) * unit }
    })
    .sort((a, b) => a.spot.x - b.spot.x)
}

function join<P>(one: { spot: Spot; points: P[] }, other: { spot: Spot; points: P[] }): void {
  const [n, m] = [one.points.length, other.points.length]
  const middle = (a: number, b: number) => (a * n + b * m) / (n + m)
  one.spot = { x: middle(one.spot.x, other.spot.x), y: middle(one.spot.y, other.spot.y) }
  one.points.push(...other.points)
}

/** Where each point of a fanned group stands: on a circle, the first at the top. Units. */
export function places({ spot, points, fan }: Group<unknown>): Spot[] {
  return points.map((_, index) => {
    const turn = (index / points.length) * 2 * Math.PI - Math.PI / 2 + (points.length === 2 ? Math.PI / 2 : 0)
    return fan === 0 ? spot : { x: spot.x + fan * Math.cos(turn), y: spot.y + fan * Math.sin(turn) }
  })
}
