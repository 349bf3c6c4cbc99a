// Generates the base map: land, graticule and sea. `node world/draw-land.mjs` writes src/ui/world-map-land.svg, which the portal
// loads as a separate file. The output is deterministic.
import { readFileSync, writeFileSync } from 'node:fs'
import { geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'

/** The same map section as in src/ui/world-map-projection.ts: width in units, central meridian, southern and northern limit. */
const WIDTH = 2000
const MIDDLE = 11
const SOUTH = -57
const NORTH = 83.6

/** Simplification: omits points closer than TOLERANCE units to the line between their neighbours, and islands smaller than SMALLEST. */
const TOLERANCE = 0.9
const SMALLEST = 5

const half = geoEqualEarth().scale(1).translate([0, 0])([180, 0])[0]
const scale = WIDTH / (2 * half)
const bare = geoEqualEarth().scale(scale).translate([0, 0])
const top = -bare([0, NORTH])[1]
const height = Math.round(top + bare([0, SOUTH])[1])
const projection = geoEqualEarth()
  .rotate([-MIDDLE, 0])
  .scale(scale)
  .translate([WIDTH / 2, top])

const world = JSON.parse(readFileSync(new URL(import.meta.resolve('world-atlas/land-110m.json'))))
const rings = outlines(feature(world, world.objects.land))
  .filter((ring) => Math.max(...ring.map(([, y]) => y)) < height + 60)
  .map(simplified)
  .filter((ring) => ring.length > 3 && area(ring) >= SMALLEST)
const land = rings.map((ring) => `${lines(ring)}z`).join('')
const net = [...steps(-150, 180, 30).map(meridian), ...steps(-30, 60, 30).map(parallel)].map(lines).join('')
const edge = [...side(-180), ...side(180).reverse()]

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}"><title>The land of the world, Equal Earth</title><path id="sea" d="${lines(edge)}z"/><path id="net" d="${net}"/><path id="land" d="${land}"/></svg>\n`
writeFileSync(new URL('../src/ui/world-map-land.svg', import.meta.url), svg)
console.log(
  `${WIDTH} × ${height}, scale ${scale.toFixed(3)}, top ${top.toFixed(3)}, ${rings.length} outlines, ${svg.length} bytes`,
)

/** The projected rings of a shape, as whole units. */
function outlines(shape) {
  const found = []
  let ring = []
  const context = {
    moveTo: (x, y) => {
      ring = [[x, y]]
      found.push(ring)
    },
    lineTo: (x, y) => ring.push([x, y]),
    closePath: () => {},
    arc: () => {},
  }
  geoPath(projection, context)(shape)
  return found.map((each) => each.map(([x, y]) => [Math.round(x * 2) / 2, Math.round(y * 2) / 2]))
}

/** Douglas–Peucker simplification. */
function simplified(ring) {
  const kept = new Set([0, ring.length - 1])
  const spans = [[0, ring.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span
    let farthest = 0
    let at = -1
    for (let index = from + 1; index < to; index++) {
      const distance = apart(ring[index], ring[from], ring[to])
      if (distance > farthest) [farthest, at] = [distance, index]
    }
    if (farthest <= TOLERANCE) continue
    kept.add(at)
    spans.push([from, at], [at, to])
  }
  return [...kept].sort((a, b) => a - b).map((index) => ring[index])
}

function apart([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - along * dx, y - ay - along * dy)
}

function area(ring) {
  return Math.abs(
    ring.reduce((sum, [x, y], index) => {
      const [nx, ny] = ring[(index + 1) % ring.length]
      return sum + x * ny - nx * y
    }, 0) / 2,
  )
}

/** An SVG path with relative coordinates, written as short as possible. */
function lines(points) {
  let [x, y] = [0, 0]
  return points
    .map(([px, py], index) => {
      const step = [short(px - x), short(py - y)]
      ;[x, y] = [px, py]
      // Coordinates that follow a lineto are linetos too, and a minus sign separates numbers like a space.
      const [first, second] = step.map((number) => (number.startsWith('-') ? number : ` ${number}`))
      return index === 0 ? `M${step[0]}${second}l` : `${first}${second}`
    })
    .join('')
    .replaceAll('l ', 'l')
}

function short(value) {
  return String(Math.round(value * 2) / 2).replace(/^(-?)0\./, '$1.')
}

function steps(from, to, by) {
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by).filter(
    (each) => each <= to,
  )
}

function rounded(point) {
  return point.map((value) => Math.round(value * 2) / 2)
}

function meridian(degree) {
  return steps(SOUTH, NORTH + 0.5, 4).map((lat) => rounded(projection([degree, lat])))
}

function parallel(lat) {
  // Parallels are straight lines in this projection.
  return [MIDDLE - 179.99, MIDDLE + 179.99].map((lng) => rounded(projection([lng, lat])))
}

/** The outermost meridian of either side, from south to north. */
function side(degree) {
  return steps(SOUTH, NORTH + 0.5, 4).map((lat) => rounded(projection([MIDDLE + degree * 0.99999, lat])))
}
