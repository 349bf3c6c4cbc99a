import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { openLocalCa } from '@tidenet/certificates'
import { nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'
import { startNames } from '../../apps/server/src/network/certificates/start.ts'
import { probeDue } from '../../apps/server/src/network/control/reachability.ts'
import { sampleRegistration, signedBy } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { NO_NAMES } from '../../apps/server/src/network/names/config.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { readNodes } from '../../apps/server/src/network/nodes/node-table.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Nodes that claim to be reached directly: where they are not, and where they should not make the server look. */

const ZONE = 'direct.example.net'
const HERE = '127.0.0.1'
const names = {
  ...NO_NAMES,
  zone: ZONE,
  tls: 'local' as const,
  dns: { host: HERE, port: 0 },
  nameservers: [`ns.${ZONE}`],
}

let env: TestEnv
/** In a network on the public Internet. */
let strict: TestEnv
let data: string
let stopNames: () => Promise<void>
const cleanups: (() => Promise<unknown> | unknown)[] = []

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'direct-'))
  env = await setup({ data, names, privateNodes: true })
  strict = await setup({ data, names, privateNodes: false })
  ;({ stop: stopNames } = await startNames(env.context))
})
afterAll(async () => {
  await stopNames?.()
  await env?.close()
  await strict?.close()
  await rm(data, { recursive: true })
})
afterEach(async () => {
  for (const step of cleanups.splice(0)) await step()
})

let passed = 0
const pass = (ms: number) => {
  passed += ms
  env.clock.move(passed)
}

async function registered(on: TestEnv) {
  const { keys, input } = sampleRegistration(on)
  const { data: answer } = await on.call('nodeControl.register', input)
  const id = answer.node_id
  const token = await nodeToken(on.context, id)
  return {
    id,
    label: nodeLabelOf(input.public_key),
    sign: (line: string) => signedBy(line, keys.privateKey),
    claim: async (direct?: { address: string; port: number; certified?: boolean }, ip?: string) =>
      on.call('nodeControl.relays', direct ? { direct } : {}, { token, ...(ip && { ip }) }),
    row: async () => (await readNodes(on.context)).find((node) => node.id === id),
  }
}
type Node = Awaited<ReturnType<typeof registered>>

/** Answers like the node, with its key and certificate, or those of others. */
async function serve(
  node: Node,
  { by = node, certified = node, to }: { by?: Node; certified?: Node; to?: string } = {},
) {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = `*.${certified.label}.${ZONE}`
  const ca = await openLocalCa(join(data, 'secrets'), ZONE)
  const cert = await ca.issue([name], createCertificateRequest(name, own), env.clock.now())
  const context = createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
  const server = createHttpsServer({ SNICallback: (_, done) => done(null, context) }, (request, response) => {
    const nonce = new URL(request.url ?? '', 'https://x').searchParams.get('nonce')
    if (to) return void response.writeHead(302, { location: to }).end()
    const signature = by.sign(['tidenet-health', node.id, nonce].join('\n'))
    response.end(JSON.stringify({ node_id: node.id, signature, version: '1' }))
  })
  server.listen(0, HERE)
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  cleanups.push(close)
  return { port: (server.address() as AddressInfo).port, close }
}

describe('a node that is reached directly', () => {
  it('is not offered there while it says that it has no certificate', async () => {
    const node = await registered(env)
    const { port } = await serve(node)
    expect((await node.claim({ address: HERE, port, certified: false })).data.direct).toBe(false)
    expect((await node.claim({ address: HERE, port })).data.direct).toBe(true)
  })

  it('is offered there as long as the server gets its signature there by https', async () => {
    const node = await registered(env)
    const { port, close } = await serve(node)
    const place = { address: HERE, port }
    expect((await node.claim(place)).data.direct).toBe(true)
    const url = `https://${nodeNameOf(HERE, node.label, ZONE)}:${port}`
    expect(await node.row()).toMatchObject({ url, relayed: false })
    close()
    pass(600_000)
    expect((await node.claim(place)).data.direct).toBe(false)
    expect((await node.row())?.url).not.toBe(url)
  })

  it('is not offered there any more when it does not claim it any more, or stays silent', async () => {
    const node = await registered(env)
    const { port } = await serve(node)
    const place = { address: HERE, port }
    const url = `https://${nodeNameOf(HERE, node.label, ZONE)}:${port}`
    await node.claim(place)
    expect((await node.claim()).data.direct).toBe(false)
    expect((await node.row())?.url).not.toBe(url)
    pass(60_000)
    expect((await node.claim(place)).data.direct).toBe(true)
    pass(3_600_000)
    await probeDue(env.context)
    expect((await node.row())?.url).not.toBe(url)
  })

  it('has the key and the certificate of its label', async () => {
    const [node, other] = [await registered(env), await registered(env)]
    for (const impostor of [{ by: other }, { certified: other }]) {
      const { port } = await serve(node, impostor)
      expect((await node.claim({ address: HERE, port })).data.direct).toBe(false)
      pass(60_000)
    }
    expect((await node.row())?.url).not.toContain(node.label)
  })
})

describe('the server', () => {
  it('follows a node to no other place', async () => {
    const node = await registered(env)
    const elsewhere = await serve(node)
    const to = `https://${nodeNameOf(HERE, node.label, ZONE)}:${elsewhere.port}/health`
    const { port } = await serve(node, { to })
    expect((await node.claim({ address: HERE, port })).data.direct).toBe(false)
  })

  it('connects to no address but the one from which the node calls, and to no private one', async () => {
    const connections: number[] = []
    const listener = createServer((socket) => {
      connections.push(1)
      socket.destroy()
    })
    listener.listen(0, HERE)
    await once(listener, 'listening')
    cleanups.push(() => listener.close())
    const { port } = listener.address() as AddressInfo
    const node = await registered(strict)
    for (const address of [
      HERE,
      '10.0.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '192.168.0.1',
      '0.0.0.0',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'fd00::1',
      'fe80::1',
      '2002:7f00:1::',
    ])
      for (const ip of [HERE, '10.0.0.1', '192.88.99.7', address])
        expect((await node.claim({ address, port }, ip)).data.direct, `${address} by ${ip}`).toBe(false)
    // Somebody else's server.
    expect((await node.claim({ address: '192.88.99.8', port }, '192.88.99.7')).data.direct).toBe(false)
    expect(connections).toEqual([])
    expect((await node.row())?.url).not.toContain(node.label)
  })

  it('refuses names and ports that are none', async () => {
    const node = await registered(strict)
    for (const direct of [
      { address: 'localhost', port: 443 },
      { address: '2130706433', port: 443 },
      { address: '0x7f.1', port: 443 },
      { address: HERE, port: 0 },
      { address: HERE, port: 65_536 },
    ])
      expect(await node.claim(direct)).toMatchObject({ code: -1, err: 1001 })
  })
})
