import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Input,
  type NodeWork,
  nodeControl,
  nodeIdOf,
  type Output,
  type ReceiptClaims,
  type UploadClaims,
} from '@tidenet/contract'
import { CompactSign, decodeJwt } from 'jose'
import {
  type Registration,
  sampleRegistration,
  sampleStats,
  signedBy,
} from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { healthText } from '../../apps/server/src/network/nodes/signatures.ts'
import type { Answer, TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/**
 * A hostile node. It has its own key and can do everything a real node can, in any order and with any content. It checks and stores nothing
 * unless a test does.
 */
export type HostileNode = Awaited<ReturnType<typeof hostileNode>>

type Calls = typeof nodeControl
type Fields<K extends keyof Calls> = Input<Calls[K]>
/** A server that listens, for nodes that call it over HTTP from an address of their own. */
interface Listening {
  origin: string
  clock: { now(): number }
}

/** Handles requests before the node does; returns false to pass one on. */
export type Handler = (request: IncomingMessage, answer: ServerResponse) => boolean

let networks = 0

/**
 * Creates and registers a node, by default an unreachable edge.
 * @param server the app of a test environment, or the address of a server that listens
 * @param more fields of the registration; `ip`: where its calls come from, each node from a network of its own by default; `address`: a
 *   loopback address that it listens on and, with a server that listens, calls from
 */
export async function hostileNode(
  server: Pick<TestEnv, 'app' | 'clock'> | Listening | string,
  {
    ip = `10.66.${++networks >> 8}.${networks & 255}`,
    address = '127.0.0.1',
    ...more
  }: Partial<Registration> & { ip?: string; address?: string } = {},
) {
  const keys = generateKeyPairSync('ed25519')
  const now = typeof server === 'string' ? Date.now : server.clock.now
  const publicKey = keys.publicKey.export({ format: 'jwk' }).x as string
  const kind = more.kind ?? 'edge'
  const id = nodeIdOf(kind, createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex'))
  let registered: Partial<Registration> = more
  let token = ''
  let close = async () => {}

  async function post<K extends keyof Calls>(name: K, input: unknown): Promise<Answer<Output<Calls[K]>>> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const { path } = nodeControl[name]
    const body = JSON.stringify(input)
    if (typeof server === 'string') {
      const answer = await fetch(server + path, { method: 'POST', headers, body })
      return { ...(await answer.json()), status: answer.status, headers: Object.fromEntries(answer.headers) }
    }
    if ('origin' in server) return postFrom(address, server.origin + path, headers, body)
    const answer = await server.app.inject({ method: 'POST', url: path, headers, payload: body, remoteAddress: ip })
    return { ...answer.json(), status: answer.statusCode, headers: answer.headers }
  }

  const node = {
    id,
    kind,
    keys,
    publicKey,
    /** From its last registration; tests may replace it. */
    get token() {
      return token
    },
    set token(other: string) {
      token = other
    },

    /** Registers, also repeatedly and with any fields. */
    async register(fields: Partial<Registration> = {}) {
      registered = { ...registered, ...fields }
      const { input } = sampleRegistration({ clock: { now, move() {} } }, registered, keys)
      const answer = await post('register', input)
      if (answer.code === 0) token = answer.data.token
      return answer
    },
    /** Any node call, also with input that the contract does not allow. */
    call: <K extends keyof Calls>(name: K, input: Fields<K> | object) => post(name, input),
    /** Sends a heartbeat with any state and returns the work. */
    heartbeat: ({ stats, ...fields }: Partial<Omit<Fields<'heartbeat'>, 'stats'>> & { stats?: object } = {}) =>
      post('heartbeat', { stats: { ...sampleStats, ...stats }, time: now(), room: 64, ...fields }),
    /** All pending work of the node. */
    async work(): Promise<NodeWork[]> {
      return (await node.heartbeat()).data.work
    },

    /** Text signed with its key, base64url. */
    sign: (text: string) => signedBy(text, keys.privateKey),
    /** A compact JWS of any claims, or of any text. */
    seal: (claims: object | string, header: object = {}) =>
      new CompactSign(Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'EdDSA', kid: id, ...header })
        .sign(keys.privateKey),
    /** A receipt of any claims, for bytes that it need not have. */
    receipt: (claims: Partial<ReceiptClaims> & Record<string, unknown>) =>
      node.seal({
        typ: 'stored',
        iss: id,
        sub: '',
        tid: '',
        jti: randomUUID(),
        kind: 'file',
        size: 1,
        blocks: 1,
        iat: Math.floor(now() / 1000),
        ...claims,
      }),
    /** The receipt for an upload token, as if its bytes had arrived: what an honest node signs, except for `claims`. */
    receiptFor(uploadToken: string, claims: Partial<ReceiptClaims> & { cid: string }) {
      const { sub, tid, jti, size, max, kind: way } = decodeJwt<UploadClaims>(uploadToken)
      return node.receipt({ sub, tid, jti, size: size ?? max, kind: way === 'car' ? 'folder' : 'file', ...claims })
    },
    deliver: (...receipts: string[]) => post('receipts', { receipts }),
    /** Reports sent bytes. */
    served: (transfers: Partial<Fields<'served'>['transfers'][number]>[], batch: string = randomUUID()) =>
      post('served', {
        batch,
        transfers: transfers.map((one) => ({
          account: '',
          trace_id: '',
          cid: '',
          bytes: 0,
          requests: 1,
          peak: 0,
          time: now(),
          ...one,
        })),
      }),
    /** Reports results of copies, by default success. */
    replicas: (...results: (Partial<Fields<'replicas'>['results'][number]> & { cid: string })[]) =>
      post('replicas', { results: results.map((one) => ({ state: 'stored', ...one })) }),
    /** Reports an inventory, by default in one page. */
    inventory: (cids: readonly string[], page: { first?: boolean; last?: boolean } = {}) =>
      post('inventory', { cids, first: true, last: true, ...page }),
    /** Reports audits, assigned ones or not. */
    audits: (...results: (Partial<Fields<'audits'>['results'][number]> & { id: string })[]) =>
      post('audits', { results: results.map((one) => ({ passed: true, ms: 1, ...one })) }),

    /**
     * Listens, answers `/health` as an honest node does, and registers that address.
     * @param handle answers everything else, or health in its own way
     * @param host an address of the loopback network: 127.a.b.1 is in the network 127.a.b.0/24
     */
    async listen(handle: Handler = () => false, host = address): Promise<string> {
      await close()
      const listening = createServer((request, answer) => {
        if (handle(request, answer)) return
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node')
        if (pathname !== '/health') {
          answer.writeHead(404).end()
          return
        }
        const signature = node.sign(healthText(id, searchParams.get('nonce') ?? ''))
        answer.setHeader('content-type', 'application/json')
        answer.end(JSON.stringify({ node_id: id, signature, version: '0' }))
      })
      await new Promise<void>((resolve) => listening.listen(0, host, resolve))
      close = () =>
        new Promise((resolve) => {
          listening.close(() => resolve())
          listening.closeAllConnections()
        })
      const url = `http://${host}:${(listening.address() as AddressInfo).port}`
      await node.register({ url })
      return url
    },
    /** Stops listening, if it does. */
    close: () => close(),
  }
  await node.register()
  return node
}

/** Sends a call from one of the machine's addresses. */
function postFrom<T>(
  localAddress: string,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers, localAddress }, async (answer) => {
      try {
        let text = ''
        for await (const part of answer.setEncoding('utf8')) text += part
        resolve({ ...JSON.parse(text), status: answer.statusCode ?? 0, headers: answer.headers })
      } catch (error) {
        reject(error)
      }
    })
    request.on('error', reject)
    request.end(body)
  })
}
