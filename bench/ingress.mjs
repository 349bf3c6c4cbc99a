// Throughput and latency of a program through the ingress, compared with the program alone, and behind nginx as a plain proxy, in the same
// run. Proxy, program and generator are three processes.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'
import { cpuOf, drain, load, median, report, sample, timed } from './measure.mjs'
import { startNginxProxy } from './part-nginx.mjs'
import { LARGE_BYTES } from './part-program.mjs'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 16

function startPart(name, args = []) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()))
    child.once('exit', () => reject(new Error(`${name} does not start`)))
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = () => {
    child.stdin.end()
    return ended
  }
  return { pid: child.pid, said, stop }
}

const dataDir = join(mkdtempSync(join(tmpdir(), 'tidenet-bench-ingress-')), 'data')
const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } })
process.env.TIDENET_TEST_DATABASE = postgres.url
const program = startPart('part-program')
const own = await program.said
const ingress = startPart('part-ingress', [own])
const { host, port } = JSON.parse(await ingress.said)
const nginxFolder = mkdtempSync(join(tmpdir(), 'tidenet-bench-nginx-'))
const nginx = await startNginxProxy(nginxFolder, own)
const headers = { host }
const urls = { program: `http://127.0.0.1:${own}`, ingress: `http://127.0.0.1:${port}`, nginx: nginx.url }
const names = Object.keys(urls)

/** The figure of each place per round, in turn. */
async function rounds(what, unit, work) {
  const all = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of round % 2 ? names : names.toReversed()) all[name][round] = await sample(() => work(urls[name]))
    console.log(
      `${what}: ${names.map((name) => `${name} ${all[name][round].toFixed(unit === 'ms' ? 3 : 0)}`).join(', ')} ${unit}`,
    )
  }
  // The first one warms up.
  for (const name of names) all[name].shift()
  return all
}

function compare(bench, unit, { program, ingress, nginx }) {
  report(bench, {
    measured: median(ingress).toFixed(0),
    against: `${median(program).toFixed(0)} of the program alone; ${median(nginx).toFixed(0)} behind nginx`,
    unit,
    value: median(ingress.map((value, round) => value / program[round])),
    goal: { atLeast: 0.5 },
  })
}

try {
  const cpuBefore = cpuOf([ingress.pid])
  let requests = 0
  const small = await rounds('small', 'requests/s', async (url) => {
    const { perSecond, statuses } = await load(url, {
      paths: ['/small'],
      headers,
      connections: CONNECTIONS,
      seconds: SECONDS,
    })
    if (Object.keys(statuses).join() !== '200') throw new Error(JSON.stringify(statuses))
    if (url === urls.ingress) requests += perSecond * SECONDS
    return perSecond
  })
  const cpuPerRequest = (cpuOf([ingress.pid]) - cpuBefore) / requests
  const large = await rounds('large', 'MiB/s', async (url) => {
    const { ms } = await timed(() => drain(`${url}/large`, { headers }))
    return LARGE_BYTES / 2 ** 20 / (ms / 1000)
  })
  const latency = await rounds('one at a time', 'ms', async (url) => {
    const { perSecond } = await load(url, { paths: ['/small'], headers, connections: 1, seconds: SECONDS })
    return 1000 / perSecond
  })
  compare('small keep-alive requests through the ingress', 'requests/s', small)
  compare('a body of 256 MiB through the ingress', 'MiB/s', large)
  const added = median(latency.ingress.map((ms, round) => ms - latency.program[round]))
  report('what the ingress adds to a request, one at a time', {
    measured: added.toFixed(2),
    against: `${median(latency.program).toFixed(2)} of the program alone; ${(cpuPerRequest * 1000).toFixed(0)} µs of CPU`,
    unit: 'ms',
    value: added,
    goal: { below: 1 },
  })
} finally {
  nginx.stop()
  await ingress.stop()
  await program.stop()
  await postgres.stop()
  removeDataFolder(dataDir)
  removeDataFolder(join(dataDir, '..'))
  rmSync(nginxFolder, { recursive: true, force: true })
}
