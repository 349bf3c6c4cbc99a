// Devices behind a relay. One serves large answers, through the relay and directly; many are idle. Prints what the visitor needs; ends with its
// stdin. Usage: part-relay-device.mjs <folder of the CA> <port of the relay> <name of the relay> <number>
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { openLocalCa } from '@tidenet/certificates'
import { createLogger, nodeLabelOf } from '@tidenet/daemon'
import { connectToRelay } from '@tidenet/relay'
import { createCertificateRequest } from '../apps/node/dist/reach/certificate-request.js'

export const ZONE = 'nodes.example.net'
export const LARGE_BYTES = 256 * 1024 * 1024
const PIECE = Buffer.alloc(256 * 1024, 7)
const CONNECT_MS = 120_000

export function makeIdentity() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'jwk' }).x
  return {
    key,
    label: nodeLabelOf(key),
    sign: (line) => sign(null, Buffer.from(line), privateKey).toString('base64url'),
  }
}

export async function contextOf(ca, label) {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = `*.${label}.${ZONE}`
  const cert = await ca.issue([name], createCertificateRequest(name, own), Date.now())
  return createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
}

function* pieces() {
  for (let left = LARGE_BYTES; left > 0; left -= PIECE.length) yield PIECE
}

async function serve(folder, port, name, count) {
  const ca = await openLocalCa(folder, ZONE)
  const serving = makeIdentity()
  const context = await contextOf(ca, serving.label)
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-length': LARGE_BYTES })
    pipeline(Readable.from(pieces(), { objectMode: false }), response, () => {})
  })
  const tls = createTlsServer({ SNICallback: (_, done) => done(null, context) }, (socket) => {
    socket.on('error', () => socket.destroy())
    http.emit('connection', socket)
  })
  const onVisitor = (socket) => tls.emit('connection', socket)
  const direct = createTcpServer({ noDelay: true }, onVisitor)
  direct.listen(0, '127.0.0.1')
  await once(direct, 'listening')
  const identities = [serving, ...Array.from({ length: count - 1 }, makeIdentity)]
  let connected = 0
  const all = identities.map(
    ({ key, sign: signLine }) =>
      new Promise((resolve) => {
        const ticket = JSON.stringify({ aud: 'relay', sub: 'device', key, most: 64, exp: Date.now() / 1000 + 3600 })
        connectToRelay({
          relay: { node_id: 'relay', name, address: '127.0.0.1', port, ticket },
          nodeId: 'device',
          ca: ca.root,
          sign: signLine,
          onVisitor,
          onChange: (isConnected) => {
            connected += isConnected ? 1 : -1
            if (isConnected) resolve()
          },
          log: createLogger('device', 'silent'),
        })
      }),
  )
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, CONNECT_MS))])
  console.log(JSON.stringify({ label: serving.label, direct: direct.address().port, connected }))
  process.stdin.resume()
  process.stdin.on('end', () => process.exit())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, port, name, count] = process.argv.slice(2)
  await serve(folder, Number(port), name, Number(count))
}
