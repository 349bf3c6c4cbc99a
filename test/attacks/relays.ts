import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls, createSecureContext, createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { openLocalCa } from '@tidenet/certificates'
import type { RelayTicket } from '@tidenet/contract'
import { createClock, createLogger, nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import {
  connectToRelay,
  type DeviceOptions,
  type Relay,
  type RelayLimits,
  type RelayOptions,
  startRelay,
} from '@tidenet/relay'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'

export const ZONE = 'nodes.example.net'
export const HERE = '127.0.0.1'
export const SECRET = 'only the device and its visitor know this'
export const log = createLogger('test', 'silent')
export const clock = createClock()

/** The identity of a node. */
export function keys() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'jwk' }).x as string
  return {
    key,
    label: nodeLabelOf(key),
    sign: (line: string) => sign(null, Buffer.from(line), privateKey).toString('base64url'),
  }
}

export type Keys = ReturnType<typeof keys>

/** Tickets of this test are JSON; the signature of real ones is checked by `tokens.relay`. */
async function readTicket(ticket: string): Promise<RelayTicket> {
  const claims = JSON.parse(ticket) as RelayTicket
  if (claims.exp * 1000 <= clock.now() || claims.aud !== 'relay') throw new Error('refused')
  return claims
}
export const ticketFor = (key: string, more: Partial<RelayTicket> = {}) =>
  JSON.stringify({ typ: 'relay', aud: 'relay', sub: 'device', key, most: 64, exp: clock.now() / 1000 + 60, ...more })

/** What a connection gets that sends this, until it is closed. */
export async function answerTo(port: number, ...parts: Buffer[]): Promise<Buffer> {
  const socket = connect(port, HERE)
  socket.on('error', () => {})
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return Buffer.concat(received)
}

/** The first bytes of a visitor with this name, as a TLS client sends them. */
export async function helloFor(name: string): Promise<Buffer> {
  const server = createTcpServer()
  server.listen(0, HERE)
  await once(server, 'listening')
  const client = connectTls({ host: HERE, port: (server.address() as { port: number }).port, servername: name })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  client.destroy()
  server.close()
  return bytes
}

let folder: string
export let ca: Awaited<ReturnType<typeof openLocalCa>>
export let relayNode: Keys
/** The last one that was opened. */
let relay: Relay
/** Labels that it reports. */
export let cloned: string[] = []
/** Called after each test, the last one first. */
export const cleanups: (() => Promise<unknown> | unknown)[] = []

export async function contextOf(label: string) {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = `*.${label}.${ZONE}`
  const cert = await ca.issue([name], createCertificateRequest(name, own), clock.now())
  return createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
}

export async function openRelay(limits: Partial<RelayLimits> = {}, more: Partial<RelayOptions> = {}) {
  cloned = []
  const context = await contextOf(relayNode.label)
  relay = await startRelay({
    listen: { host: HERE, port: 0 },
    zone: ZONE,
    label: relayNode.label,
    secureContext: () => context,
    readTicket,
    onCloned: (label) => cloned.push(label),
    onOwnVisitor: (socket) => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'),
    limits,
    clock,
    log,
    ...more,
  })
  const opened = relay
  cleanups.push(() => opened.close(0))
  return opened
}

/** A device with an https server, connected to the relay. */
export async function device(
  to: Pick<Relay, 'port'>,
  own = keys(),
  { ticket = ticketFor(own.key), onChange, ...more }: Partial<DeviceOptions> & { ticket?: string } = {},
) {
  const context = await contextOf(own.label)
  const visitors: Socket[] = []
  const server = createTlsServer({ SNICallback: (_, done) => done(null, context) }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${SECRET.length}\r\n\r\n${SECRET}`))
  })
  let onFirst = () => {}
  const isThere = new Promise<void>((resolve) => {
    onFirst = resolve
  })
  const connection = connectToRelay({
    relay: {
      node_id: 'relay',
      name: nodeNameOf(HERE, relayNode.label, ZONE),
      address: HERE,
      port: to.port,
      ticket,
    },
    nodeId: 'device',
    ca: ca.root,
    sign: own.sign,
    onVisitor: (socket) => {
      visitors.push(socket)
      server.emit('connection', socket)
    },
    onChange: (isConnected) => {
      onChange?.(isConnected)
      if (isConnected) onFirst()
    },
    log,
    ...more,
  })
  cleanups.push(() => connection.stop())
  return { ...own, connection, visitors, isThere }
}

export const visit = (port: number, label: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const servername = nodeNameOf(HERE, label, ZONE)
    get(
      { host: HERE, port, servername, ca: ca.root, agent: false, path: '/', headers: { host: servername } },
      (answer) => resolve(text(answer)),
    ).on('error', reject)
  })

/** A control connection that is made by hand. */
export async function control(
  port: number,
): Promise<{ socket: TLSSocket; read: () => Promise<Record<string, unknown>> }> {
  const socket = connectTls({
    host: HERE,
    port,
    servername: nodeNameOf(HERE, relayNode.label, ZONE),
    ca: ca.root,
    ALPNProtocols: ['tidenet-relay/1'],
  })
  cleanups.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  const read = async () =>
    JSON.parse(String((await once(socket, 'data'))[0]).split('\n')[0] ?? '') as Record<string, unknown>
  return { socket, read }
}
export const proofOf = (own: Keys, socket: TLSSocket, nonce: unknown, to = relayNode.label) => {
  const exporter = socket.exportKeyingMaterial(32, 'EXPORTER-tidenet-relay-1', Buffer.alloc(0))
  return own.sign(['tidenet-relay/1', to, nonce, exporter.toString('base64url')].join('|'))
}
export async function refusalOf(ticket: string, signed: (socket: TLSSocket, nonce: unknown) => string) {
  const { socket, read } = await control(relay.port)
  const { nonce } = await read()
  socket.write(`${JSON.stringify({ type: 'proof', ticket, signature: signed(socket, nonce) })}\n`)
  return read()
}

/** A device made by hand, which has been welcomed. */
export async function enter(port: number, own: Keys) {
  const { socket, read } = await control(port)
  const { nonce } = await read()
  socket.write(
    `${JSON.stringify({ type: 'proof', ticket: ticketFor(own.key), signature: proofOf(own, socket, nonce) })}\n`,
  )
  expect(await read()).toMatchObject({ type: 'welcome' })
  return { socket, read }
}

/** Prepares the tests of a file. */
export function setupRelays(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'relay-'))
    ca = await openLocalCa(folder, ZONE)
    relayNode = keys()
  })
  afterAll(() => rm(folder, { recursive: true }))
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
}
