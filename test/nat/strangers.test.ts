import { spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import type { NodeHandle } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, until } from '../network/wire-client.ts'
import {
  caFile,
  DEVICE_A,
  type HomeNetwork,
  metricOf,
  relayed,
  runClient,
  startHomeNetwork,
  untilConnected,
  upload,
} from './home-network.ts'
import { countersOf, HOMES, inside, OUTSIDE, PRINTER, within, ZONE } from './lab.ts'

/** Relays, visitors and neighbours that want to read what a device sends, or to get into its owner's home. */

/** Occurs in every few bytes of the file. */
const SECRET = 'only the owner of this file and the device know this line\n'
const SIZE = 4_000_000
const PRINTER_PORT = 9100
const [RELAY] = OUTSIDE.relays

let network: HomeNetwork
let folder: string
let device: NodeHandle
let label: string
let ca: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nat-strangers-'))
  network = await startHomeNetwork([DEVICE_A])
  device = network.nodes.at(-1) as NodeHandle
  await untilConnected(network, 1)
  const key = createPublicKey(await readFile(join(device.dataDir, 'node.key'), 'utf8'))
  label = nodeLabelOf(key.export({ format: 'jwk' }).x ?? '')
  ca = await readFile(caFile(network), 'utf8')
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

/** Everything that passes the relays while `work` runs. */
async function record(work: () => Promise<void>): Promise<Buffer> {
  const file = join(folder, 'recorded.pcap')
  const filter = `tcp port 443 and (${OUTSIDE.relays.map((address) => `host ${address}`).join(' or ')})`
  const recorder = spawn('tcpdump', ['-Z', 'root', '-U', '-i', 'any', '-s', '0', '-w', file, filter])
  await once(recorder.stderr, 'data')
  await work()
  recorder.kill('SIGINT')
  await once(recorder, 'close')
  return readFile(file)
}

/** What comes back for raw bytes, sent to the device through its relay; empty if there is no answer. */
async function send(bytes: string, servername = nodeNameOf(RELAY, label, ZONE)): Promise<string> {
  const socket = connectTls({ host: RELAY, port: 443, servername, ca, checkServerIdentity: () => undefined })
  socket.setTimeout(3000, () => socket.destroy())
  const answer = text(socket).catch(() => '')
  socket.once('secureConnect', () => socket.write(bytes))
  return answer
}

describe('a relay', () => {
  it('sees no plain byte of what it passes on', async () => {
    const { token } = await signUp(network.url)
    const bytes = Buffer.alloc(SIZE, SECRET)
    const source = join(folder, 'secret.txt')
    await writeFile(source, bytes)
    const target = join(folder, 'target')
    const before = await relayed(network)
    const seen = await record(async () => {
      const cid = await upload(network, token, source)
      expect(await runClient(network, token, 'download', target, cid)).toMatchObject({ code: 0 })
    })
    expect((await readFile(target)).equals(bytes)).toBe(true)
    expect(await relayed(network)).toBeGreaterThan(before + 2 * SIZE)
    expect(seen.length).toBeGreaterThan(2 * SIZE)
    for (const plain of [SECRET.trim(), 'HTTP/1.1', '/ipfs/', 'Bearer', token]) expect(seen.includes(plain)).toBe(false)
  })
})

describe('the home of a device', () => {
  it('cannot be entered past its router', async () => {
    const { port } = new URL(device.url)
    const attempts = [HOMES.a.wan[0], '10.0.0.2', PRINTER].flatMap((host) =>
      [Number(port), 443, PRINTER_PORT].map(
        (each) =>
          new Promise<boolean>((resolve) => {
            const socket = connect({ host, port: each, timeout: 1500 })
            for (const over of ['timeout', 'error'] as const)
              socket.once(over, () => {
                socket.destroy()
                resolve(false)
              })
            socket.once('connect', () => {
              socket.destroy()
              resolve(true)
            })
          }),
      ),
    )
    expect(await Promise.all(attempts)).not.toContain(true)
    expect(countersOf(HOMES.a).uninvited).toBeGreaterThan(0)
  })

  it('cannot be entered through the device by visitors of a relay', async () => {
    const [command = '', ...args] = within(HOMES.a.printer)
    const heard = `let n = 0; require('net').createServer((s) => { n++; s.destroy(); console.log('visited') }).listen(${PRINTER_PORT}, () => console.log('ready'))`
    const printer = spawn(command, [...args, process.execPath, '-e', heard])
    let said = ''
    printer.stdout.on('data', (chunk) => {
      said += chunk
    })
    try {
      await until(async () => said.includes('ready'))
      const at = `${PRINTER}:${PRINTER_PORT}`
      // The device itself can reach it: what is proven below is that nobody makes it do so.
      inside(HOMES.a.device, 'sh', '-c', `curl -s -m 2 http://${at}/ || true`)
      await until(async () => said.includes('visited'))
      said = ''
      const before = countersOf(HOMES.a)
      const rest = `Host: ${at}\r\nConnection: close\r\n\r\n`
      for (const attempt of [
        `CONNECT ${at} HTTP/1.1\r\n${rest}`,
        `GET http://${at}/ HTTP/1.1\r\n${rest}`,
        `GET /via/bafy?url=http://${at}/&token=x HTTP/1.1\r\n${rest}`,
        `GET //${at}/ HTTP/1.1\r\n${rest}`,
        `GET / HTTP/1.1\r\nUpgrade: tcp\r\nX-Forwarded-Host: ${at}\r\n${rest}`,
        'T\x00\x00\x00',
      ])
        expect(await send(attempt)).not.toMatch(/^HTTP\/1\.1 (101|2)/)
      // Names with other addresses lead to the same device, or nowhere.
      for (const address of [PRINTER, '127.0.0.1', '169.254.169.254'])
        expect(await send(`GET / HTTP/1.1\r\n${rest}`, nodeNameOf(address, label, ZONE))).not.toMatch(
          /^HTTP\/1\.1 (101|2)/,
        )
      expect(said).toBe('')
      expect(countersOf(HOMES.a)).toEqual(before)
      expect(await metricOf(device, 'contents', HOMES.a)).toBeGreaterThan(0)
    } finally {
      printer.kill()
    }
  })
})
