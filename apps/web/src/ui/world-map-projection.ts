/** The map's own units, as world/draw-land.mjs writes the land: `top` is how far the equator lies below the upper edge. */
export const MAP = { width: 2000, height: 869, scale: 369.463, top: 482.245 } as const

/** The meridian in the middle: it keeps the far east of Asia on the right. Degrees. */
const MIDDLE = 11

// Equal Earth (Šavrič, Patterson, Jenny 2018): areas stay true, parallels stay straight.
const A1 = 1.340264
const A2 = -0.081106
const A3 = 0.000893
const A4 = 0.003796
const M = Math.sqrt(3) / 2

export interface Place {
  /** Degrees. */
  lat: number
  lng: number
}

export interface Spot {
  x: number
  y: number
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Where a place lies on the map, in its units. */
export function project({ lat, lng }: Place): Spot {
  const east = radians(((((lng - MIDDLE + 180) % 360) + 360) % 360) - 180)
  const l = Math.asin(M * Math.sin(radians(lat)))
  const l2 = l * l
  const l6 = l2 * l2 * l2
  const x = (east * Math.cos(l)) / (M * (A1 + 3 * A2 * l2 + l6 * (7 * A3 + 9 * A4 * l2)))
  const y = l * (A1 + A2 * l2 + l6 * (A3 + A4 * l2))
  return { x: MAP.width / 2 + MAP.scale * x, y: MAP.top - MAP.scale * y }
}

/** The shortest way over the globe between two places as a path; in two pieces where it leaves the map on one side. */
export function greatCircle(from: Place, to: Place): string {
  const [a, b] = [vector(from), vector(to)]
  const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  const steps = Math.max(2, Math.ceil(angle / 0.06))
  let path = ''
  let before: { spot: Spot; lat: number } | undefined
  for (let step = 0; step <= steps; step++) {
    const share = step / steps
    // Near zero the two weights are shares of a straight line.
    const [wa, wb] =
      angle < 1e-6
        ? [1 - share, share]
        : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)]
    const [x, y, z] = [wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2]]
    const place = { lat: degrees(Math.atan2(z, Math.hypot(x, y))), lng: degrees(Math.atan2(y, x)) }
    const spot = project(place)
    if (before && Math.abs(spot.x - before.spot.x) > MAP.width / 2) {
      // Out over one edge, and in again over the other.
      const lat = (before.lat + place.lat) / 2
      const out = before.spot.x > MAP.width / 2 ? 1 : -1
      path += `L${point(edge(lat, out))}M${point(edge(lat, -out))}`
    }
    path += `${before ? 'L' : 'M'}${point(spot)}`
    before = { spot, lat: place.lat }
  }
  return path
}

/** The outermost place of the map at a latitude: 1 in the east, -1 in the west. */
const edge = (lat: number, side: number): Spot => project({ lat, lng: MIDDLE + side * 179.999 })

const point = ({ x, y }: Spot): string => `${x.toFixed(1)} ${y.toFixed(1)}`

const degrees = (angle: number): number => (angle * 180) / Math.PI

function vector({ lat, lng }: Place): readonly [number, number, number] {
  const [phi, lambda] = [radians(lat), radians(lng)]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}
