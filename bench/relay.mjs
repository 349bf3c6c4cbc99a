// Downloads through a relay compared with direct ones in the same run, over TLS, and the memory of a relay with 2,000 idle devices.
// Relay, devices and the visitor are processes of their own.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLocalCa } from '@tidenet/certificates'
import { MiB, median, pause, report, sample } from './measure.mjs'
import { LARGE_BYTES, ZONE } from './part-relay-device.mjs'

const ROUNDS = 7
const IDLE_DEVICES = 2000

function startPart(name, args) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(JSON.parse(String(text))))
    child.once('exit', () => reject(new Error(`${name} does not start`)))
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = () => {
    child.stdin.end()
    return ended
  }
  return { pid: child.pid, said, stop }
}

const folder = mkdtempSync(join(tmpdir(), 'tidenet-bench-relay-'))
const { root } = await openLocalCa(folder, ZONE)
const relay = startPart('part-relay', [folder])
const { port, name } = await relay.said
const device = startPart('part-relay-device', [folder, String(port), name, '1'])
const { label, direct } = await device.said
const servername = `127-0-0-1.${label}.${ZONE}`

/** MiB a second of one download. */
const download = (to) =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const options = {
      host: '127.0.0.1',
      port: to,
      servername,
      ca: root,
      agent: false,
      path: '/',
      headers: { host: servername },
    }
    get(options, (answer) => {
      let bytes = 0
      answer.on('data', (chunk) => {
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (bytes !== LARGE_BYTES) return reject(new Error(`only ${bytes} bytes came`))
        resolve(bytes / MiB / ((performance.now() - start) / 1000))
      })
    }).on('error', reject)
  })

const memory = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${relay.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

let idle
try {
  const rates = { direct: [], relayed: [] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const way of round % 2 ? ['direct', 'relayed'] : ['relayed', 'direct'])
      rates[way][round] = await sample(() => download(way === 'direct' ? direct : port))
  // The first one warms up.
  for (const list of Object.values(rates)) list.shift()
  report('a download through a relay', {
    measured: median(rates.relayed).toFixed(0),
    against: `${median(rates.direct).toFixed(0)} directly`,
    unit: 'MiB/s',
    value: median(rates.relayed.map((rate, round) => rate / rates.direct[round])),
    goal: { atLeast: 0.8 },
  })
  idle = startPart('part-relay-device', [folder, String(port), name, String(IDLE_DEVICES)])
  const { connected } = await idle.said
  if (connected !== IDLE_DEVICES) throw new Error(`only ${connected} devices are connected`)
  await pause(5000)
  report(`a relay with ${IDLE_DEVICES} idle devices`, {
    measured: memory().toFixed(0),
    against: 'an absolute bound',
    unit: 'MiB',
    value: memory(),
    goal: { below: 300 },
  })
} finally {
  await Promise.all([relay, device, idle].map((part) => part?.stop()))
  rmSync(folder, { recursive: true, force: true })
}
