/** Map units, as in world/draw-land.mjs: `top` is the distance of the equator from the upper edge. */
export const MAP = { width: 2000, height: 869, scale: 369.463, top: 482.245 } as const

/** Central meridian in degrees; chosen so that the far east of Asia stays on the right. */
const MIDDLE = 11

// Equal Earth (Šavrič, Patterson, Jenny 2018): an equal-area projection with straight parallels.
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

/** The position of a place in map units. */
export function project({ lat, lng }: Place): Spot {
  const east = radians(((((lng - MIDDLE + 180) % 360) + 360) % 360) - 180)
  const l = Math.asin(M * Math.sin(radians(lat)))
  const l2 = l * l
  const l6 = l2 * l2 * l2
  const x = (east * Math.cos(l)) / (M * (A1 + 3 * A2 * l2 + l6 * (7 * A3 + 9 * A4 * l2)))
  const y = l * (A1 + A2 * l2 + l6 * (A3 + A4 * l2))
  return { x: MAP.width / 2 + MAP.scale * x, y: MAP.top - MAP.scale * y }
}

/** The great circle between two places as an SVG path; in two pieces if it crosses the edge of the map. */
export function greatCircle(from: Place, to: Place): string {
  const [a, b] = [vector(from), vector(to)]
  const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  const steps = Math.max(2, Math.ceil(angle / 0.06))
  let path = ''
  let before: { spot: Spot; lat: number } | undefined
  for (let step = 0; step <= steps; step++) {
    const share = step / steps
    // For tiny angles, linear interpolation avoids a division by zero.
    const [wa, wb] =
      angle < 1e-6
        ? [1 - share, share]
        : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)]
    const [x, y, z] = [wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2]]
    const place = { lat: degrees(Math.atan2(z, Math.hypot(x, y))), lng: degrees(Math.atan2(y, x)) }
    const spot = project(place)
    if (before && Math.abs(spot.x - before.spot.x) > MAP.width / 2) {
      // Leave over one edge and continue from the other.
      const lat = (before.lat + place.lat) / 2
      const out = before.spot.x > MAP.width / 2 ? 1 : -1
      path += `L${point(edge(lat, out))}M${point(edge(lat, -out))}`
    }
    path += `${before ? 'L' : 'M'}${point(spot)}`
    before = { spot, lat: place.lat }
  }
  return path
}

/** The edge of the map at a latitude. @param side 1: east, -1: west */
const edge = (lat: number, side: number): Spot => project({ lat, lng: MIDDLE + side * 179.999 })

const point = ({ x, y }: Spot): string => `${x.toFixed(1)} ${y.toFixed(1)}`

const degrees = (angle: number): number => (angle * 180) / Math.PI

function vector({ lat, lng }: Place): readonly [number, number, number] {
  const [phi, lambda] = [radians(lat), radians(lng)]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}
