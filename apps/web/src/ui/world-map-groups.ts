import type { NodeStatus } from './node-mark.tsx'
import { project, type Spot } from './world-map-projection.ts'

/** One point of the map, or several that would overlap. */
export interface Group<P> {
  id: string
  /** In the map's units. */
  spot: Spot
  points: readonly P[]
  /** Radius of the circle of marks, in map units; 0 for a single mark. */
  fan: number
  /** Shown as one mark with the number of points. */
  numbered: boolean
}

interface Placed {
  id: string
  lat: number
  lng: number
  status: NodeStatus
  count?: number
}

/** Up to this many points of a place are fanned out; more become one mark with a number. */
export const MAX_FANNED = 4

/** Diameters in screen pixels; a mark is large enough for touch. */
const MARK = 24
const NUMBER = 34

/** Radius in pixels at which fanned marks do not overlap. */
const fanOf = (count: number): number => (count < 2 || count > MAX_FANNED ? 0 : MARK / 2 / Math.sin(Math.PI / count))

const isNumbered = (points: readonly Placed[]): boolean =>
  points.length > MAX_FANNED || points.some(({ count }) => count !== undefined)

/** Outer radius of a group, in pixels. */
const radiusOf = (points: readonly Placed[]): number =>
  isNumbered(points) ? NUMBER / 2 : fanOf(points.length) + MARK / 2

/**
 * Groups points that would overlap, sorted from west to east.
 * @param unit map units per screen pixel
 */
export function groupPoints<P extends Placed>(points: readonly P[], unit: number): Group<P>[] {
  // Merge points by grid cell first, so that the quadratic loop below depends on the number of places, not of points.
  const cells = new Map<string, { spot: Spot; points: P[] }>()
  for (const point of points) {
    const spot = project(point)
    const cell = `${Math.round(spot.x / unit / 8)}:${Math.round(spot.y / unit / 8)}`
    const existing = cells.get(cell)
    if (existing) merge(existing, { spot, points: [point] })
    else cells.set(cell, { spot, points: [point] })
  }
  const groups = [...cells.values()]
  for (let again = true; again; ) {
    again = false
    for (let a = 0; a < groups.length; a++)
      for (let b = groups.length - 1; b > a; b--) {
        const [one, other] = [groups[a]!, groups[b]!]
        const distance = Math.hypot(one.spot.x - other.spot.x, one.spot.y - other.spot.y) / unit
        if (distance >= radiusOf(one.points) + radiusOf(other.points)) continue
        merge(one, other)
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

function merge<P>(one: { spot: Spot; points: P[] }, other: { spot: Spot; points: P[] }): void {
  const [n, m] = [one.points.length, other.points.length]
  const middle = (a: number, b: number) => (a * n + b * m) / (n + m)
  one.spot = { x: middle(one.spot.x, other.spot.x), y: middle(one.spot.y, other.spot.y) }
  one.points.push(...other.points)
}

/** The position of each point of a group in map units: on a circle, the first at the top. */
export function markPositions({ spot, points, fan }: Group<unknown>): Spot[] {
  return points.map((_, index) => {
    const angle = (index / points.length) * 2 * Math.PI - Math.PI / 2 + (points.length === 2 ? Math.PI / 2 : 0)
    return fan === 0 ? spot : { x: spot.x + fan * Math.cos(angle), y: spot.y + fan * Math.sin(angle) }
  })
}
