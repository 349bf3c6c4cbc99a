// Tools for benchmarks: statistics, samples without interference by other processes, a cheap load generator, and reports.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { cpus } from 'node:os'

export const MiB = 1 << 20

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

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

const TICK_MS = 10

const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // The process has exited.
    return undefined
  }
}

/** The ids of a process and all its descendants. */
export function processTree(root = process.pid) {
  const children = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statOf(name)?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const members = [root]
  for (let at = 0; at < members.length; at++) members.push(...(children.get(members[at]) ?? []))
  return members
}

/** CPU ms of processes, including children that have exited. */
export function cpuOf(pids) {
  let ticks = 0
  for (const pid of pids) {
    const fields = statOf(pid)
    if (fields) for (let at = 11; at <= 14; at++) ticks += Number(fields[at])
  }
  return ticks * TICK_MS
}

/** CPU ms of the whole machine, including stolen time. */
function busyMs() {
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * TICK_MS
}

/** Starts measuring; the returned function returns how many cores other processes used since. */
function measureForeignLoad() {
  const busy = busyMs()
  const own = cpuOf(processTree())
  const start = performance.now()
  return () => Math.max(0, (busyMs() - busy - (cpuOf(processTree()) - own)) / (performance.now() - start))
}

/** Busy ms of all disks. */
const diskMs = () =>
  readFileSync('/proc/diskstats', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .reduce((total, [, , name, ...fields]) => (/^(loop|ram|dm-)/.test(name) ? total : total + Number(fields[9])), 0)

/** Remaining ms that a benchmark may spend on waiting for a quiet machine and on repeated samples. */
let waitBudget = 90_000
let disturbed = 0
let samples = 0

/** Waits until neither cores nor disks are busy, within the budget, because the machine is shared. */
async function waitUntilQuiet() {
  const began = performance.now()
  for (;;) {
    const foreignLoad = measureForeignLoad()
    const disk = diskMs()
    const start = performance.now()
    await pause(200)
    const now = performance.now()
    if (foreignLoad() < 0.15 && (diskMs() - disk) / (now - start) < 0.15) break
    if (now - began > Math.min(10_000, waitBudget)) break
  }
  waitBudget -= performance.now() - began - 200
}

/** Takes a sample while the machine is quiet; repeats it if other processes interfered, within the budget. */
export async function sample(work) {
  for (;;) {
    await waitUntilQuiet()
    const foreignLoad = measureForeignLoad()
    const start = performance.now()
    const result = await work()
    const undisturbed = foreignLoad() < 0.25
    if (undisturbed || waitBudget <= 0) {
      samples += 1
      if (!undisturbed) disturbed += 1
      return result
    }
    waitBudget -= performance.now() - start
  }
}

/**
 * Runs several functions in turn, once to warm up and then `rounds` times; their `before` is not timed.
 * Returns a list of ms for each function, and prints a line per round.
 */
export async function alternate(works, { rounds = 5, unit = (ms) => `${Math.round(ms)} ms` } = {}) {
  const names = Object.keys(works)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    // Every second round in the opposite order: what one sample leaves behind, such as memory to be freed, must not always meet the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed())
      times[name][round] = await sample(async () => {
        const { before, work } = works[name]
        const given = await before?.()
        return (await timed(() => work(given))).ms
      })
    console.log(
      `${round === 0 ? 'warming up' : `round ${round}`}: ${names.map((name) => `${name} ${unit(times[name][round])}`).join(', ')}`,
    )
  }
  for (const name of names) times[name].shift()
  return times
}

/** How many times faster `ours` is than `theirs`: the median of the ratios per round, because a slow minute affects both. */
export const speedup = (ours, theirs) => median(ours.map((ms, round) => theirs[round] / ms))

/**
 * Requests per second over `connections` keep-alive sockets, one request at a time on each. Uses plain sockets, so that the generator
 * itself needs little CPU. `paths` are requested in turn.
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

/**
 * Downloads over one plain socket and discards the bytes. Returns their number; rejects for any status except 200 and 206.
 */
export function drain(url, { headers = {} } = {}) {
  const { hostname, port, host, pathname, search } = new URL(url)
  const head = Object.entries({ host, connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return new Promise((resolve, reject) => {
    let text = ''
    let left = -1
    let got = 0
    const take = (bytes, buffer) => {
      let count = bytes
      if (left < 0) {
        text += buffer.latin1Slice(0, bytes)
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return true
        const length = /content-length: (\d+)/i.exec(text)?.[1]
        if (!/^HTTP\/1\.1 20[06]/.test(text) || length === undefined) {
          reject(new Error(text.slice(0, 300)))
          socket.destroy()
          return false
        }
        left = Number(length)
        count = text.length - end - 4
      }
      got += count
      left -= count
      if (left <= 0) {
        resolve(got)
        socket.destroy()
      }
      return true
    }
    const socket = connect({
      port: Number(port),
      host: hostname,
      onread: { buffer: Buffer.allocUnsafeSlow(MiB), callback: take },
    })
    socket.on('connect', () => socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${head}\r\n`))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed with ${left} bytes missing`)))
  })
}

/** The byte ranges of `size` bytes in `count` parts. */
export const ranges = (size, count) =>
  Array.from({ length: count }, (_, part) => {
    const from = Math.floor((size * part) / count)
    return { range: `bytes=${from}-${Math.floor((size * (part + 1)) / count) - 1}` }
  })

/** Prints one result. `goal`: `{ atLeast }` or `{ below }` for the ratio, or nothing if there is no goal. */
export function report(name, { measured, against, unit, value, goal: { atLeast, below } = {} }) {
  const met = atLeast !== undefined ? value >= atLeast : below === undefined || value < below
  const wanted = atLeast !== undefined ? `≥ ${atLeast}` : below === undefined ? 'none' : `< ${below}`
  if (disturbed > 0)
    console.log(`${disturbed} of ${samples} samples were disturbed by other processes on these ${cpus().length} cores`)
  console.log(
    JSON.stringify({ bench: name, measured, against, unit, value: Number(value.toPrecision(3)), goal: wanted, met }),
  )
  return met
}
