// Small tools of the benches: medians, percentiles, a load generator that costs little, and how a result is written down.
import { connect } from 'node:net'

export const median = (list) => percentile(list, 50)

export function percentile(list, p) {
  const sorted = [...list].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((p / 100) * sorted.length) - 1))]
}

export async function timed(work) {
  const start = process.hrtime.bigint()
  const result = await work()
  return { ms: Number(process.hrtime.bigint() - start) / 1e6, result }
}

/**
 * Requests a second that a server answers over `connections` kept-alive sockets, one request at a time on each.
 * Plain sockets, so that the generator is not what is measured. `requests` is a list of raw paths taken in turn.
 */
export async function load(url, { paths, headers = {}, connections = 32, seconds = 3 }) {
  const { hostname, port, host } = new URL(url)
  const head = Object.entries({ host, connection: 'keep-alive', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${head}\r\n`))
  const until = Date.now() + seconds * 1000
  let answered = 0
  let next = 0
  const statuses = new Map()
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(Number(port), hostname, send)
          let pending = Buffer.alloc(0)
          function send() {
            if (Date.now() >= until) return socket.end(resolve)
            socket.write(requests[next++ % requests.length])
          }
          socket.setNoDelay(true)
          socket.on('error', reject)
          socket.on('data', (chunk) => {
            pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
            const end = pending.indexOf('\r\n\r\n')
            if (end < 0) return
            const text = pending.latin1Slice(0, end)
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
            if (pending.length < end + 4 + length) return
            const status = text.slice(9, 12)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            pending = pending.subarray(end + 4 + length)
            answered += 1
            send()
          })
        }),
    ),
  )
  return { perSecond: answered / seconds, statuses: Object.fromEntries(statuses) }
}

/** Prints one figure; the ratio last. `goal` is what the figure must reach: `{ atLeast }` or `{ below }`. */
export function report(name, { measured, against, unit, value, goal }) {
  const met = goal.atLeast !== undefined ? value >= goal.atLeast : value < goal.below
  const wanted = goal.atLeast !== undefined ? `≥ ${goal.atLeast}` : `< ${goal.below}`
  console.log(
    JSON.stringify({ bench: name, measured, against, unit, value: Number(value.toPrecision(3)), goal: wanted, met }),
  )
  return met
}
