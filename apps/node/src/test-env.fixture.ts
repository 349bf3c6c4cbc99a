import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileHasher } from '@tidenet/content'
import {
  CLOCK_SKEW_MAX,
  type DownloadClaims,
  errors,
  type JoinClaims,
  type NodeWork,
  nodeIdOf,
  type UploadClaims,
} from '@tidenet/contract'
import { createClock } from '@tidenet/daemon'
import { SignJWT } from 'jose'
import { createNode, type StorageNode } from './app.ts'
import type { NodeConfig } from './config.ts'

/** Test environment: nodes with real listeners, and a fake server. */

/** Records what nodes report, and returns what tests set. */
export interface FakeServer {
  url: string
  /** Request bodies in order. */
  calls: { operation: string; node: string; body: Record<string, unknown> }[]
  /** Queues work for a node's next heartbeat. */
  give(node: string, work: NodeWork): void
  /** Response to inventories. */
  unwanted: string[]
  /** If true, every connection is refused. */
  away: boolean
  /** If true, calls of registered nodes are refused as too many. */
  busy: boolean
  /** Operations refused because it was busy. */
  refused: Set<string>
  /** Heartbeats are processed at once and answered when this resolves. */
  held?: Promise<void> | undefined
  /** Ended shares, sent with every heartbeat. */
  ended: { id: number; key: string }[]
  /** Whether it says that there are more. */
  endedMore: boolean
  /** Blocks of contents, sent with every heartbeat. */
  blocked: { id: number; key: string; blocked: boolean }[]
  /** Whether it says that there are more. */
  blockedMore: boolean
  /** What it answers to nodes that leave. */
  leaving: { remaining: number } | null
  /** If true, no proof that a content contains a blocked one is accepted. */
  refusesProofs: boolean
  /** Offset of its clock, ms. */
  ahead: number
  /** Invalidates all sessions. */
  forget(): void
  of(operation: string): Record<string, unknown>[]
  uploadToken(node: string, claims?: Partial<UploadClaims>): Promise<string>
  joinToken(node: string, claims?: Partial<JoinClaims>): Promise<string>
  downloadToken(node: string, cid: string, claims?: Partial<DownloadClaims>): Promise<string>
  /** Resolves when `check` is true; tested after each call of a node. */
  until(check: () => boolean): Promise<void>
  stop(): Promise<void>
}

const HOUR = 3600

export async function startFakeServer(): Promise<FakeServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'test' }]
  const sessions = new Map<string, string>()
  const waiting = new Set<() => void>()
  const work = new Map<string, NodeWork[]>()

  const answer = (operation: string, node: string, body: Record<string, unknown>): unknown => {
    server.calls.push({ operation, node, body })
    for (const check of waiting) check()
    const server_time = Date.now() + server.ahead
    if (operation === 'heartbeat')
      return {
        work: work.get(node)?.splice(0) ?? [],
        ended: server.ended,
        ended_more: server.endedMore,
        blocked: server.blocked,
        blocked_more: server.blockedMore,
        leaving: body.leaving === true ? server.leaving : null,
        keys,
        server_time,
      }
    if (operation === 'earnings') return { owned: true, today: 1_500_000, month: 42_000_000, total: 99_000_000 }
    if (operation === 'inventory') return { unwanted: server.unwanted, server_time }
    if (operation === 'replicas') return { known: 1 }
    if (operation === 'served') return { accepted: true }
    return { accepted: 1, server_time }
  }
  const register = (body: Record<string, unknown>) => {
    const server_time = Date.now() + server.ahead
    if (Math.abs(server_time - Number(body.time)) > CLOCK_SKEW_MAX) {
      server.calls.push({ operation: 'refused', node: '', body })
      for (const check of waiting) check()
      return { code: -1, err: 1021, msg: 'the clock', data: { server_time } }
    }
    const digest = createHash('sha256')
      .update(Buffer.from(String(body.public_key), 'base64url'))
      .digest('hex')
    const node_id = nodeIdOf(body.kind as 'edge', digest)
    const token = randomUUID()
    sessions.set(token, node_id)
    server.calls.push({ operation: 'register', node: node_id, body })
    for (const check of waiting) check()
    return { code: 0, data: { node_id, token, keys, server_time } }
  }
  const refuse = (operation: string) => {
    server.refused.add(operation)
    for (const check of waiting) check()
    return { code: -1, err: errors.tooManyRequests.err, msg: 'too many calls' }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (server.away) {
      request.socket.destroy()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
    const operation = request.url?.split('/').at(-1) ?? ''
    const node = sessions.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
    const envelope =
      operation === 'register'
        ? register(body)
        : node === undefined
          ? { code: 401, msg: 'no session', success: false }
          : server.busy
            ? refuse(operation)
            : operation === 'contains' && server.refusesProofs
              ? { code: -1, err: errors.notContained.err, msg: 'no proof' }
              : { code: 0, data: answer(operation, node, body) }
    if (operation === 'heartbeat') await server.held
    response.setHeader('content-type', 'application/json').end(JSON.stringify(envelope))
  }
  const http = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as { port: number }

  const sign = (claims: object, node: string, life = HOUR) => {
    const exp = Math.floor(Date.now() / 1000) + life
    return new SignJWT({ iss: 'tidenet', aud: node, exp, sub: 'u1', tid: randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'test' })
      .sign(privateKey)
  }

  const server: FakeServer = {
    url: `http://127.0.0.1:${port}`,
    calls: [],
    give: (node, piece) => void work.set(node, [...(work.get(node) ?? []), piece]),
    unwanted: [],
    away: false,
    busy: false,
    refused: new Set(),
    ahead: 0,
    leaving: null,
    ended: [],
    endedMore: false,
    blocked: [],
    blockedMore: false,
    refusesProofs: false,
    forget: () => sessions.clear(),
    of: (operation) => server.calls.filter((call) => call.operation === operation).map((call) => call.body),
    uploadToken: (node, claims) =>
      sign({ typ: 'upload', kind: 'file', max: 2 ** 30, jti: randomUUID(), ...claims }, node),
    joinToken: (node, claims) => sign({ typ: 'join', kind: 'file', jti: randomUUID(), ...claims }, node),
    downloadToken: (node, cid, claims) => sign({ typ: 'download', cid, ...claims }, node),
    until: (check) =>
      new Promise((resolve) => {
        const again = () => {
          if (!check()) return
          waiting.delete(again)
          resolve()
        }
        waiting.add(again)
        again()
      }),
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

export interface TestEnv {
  server: FakeServer
  /** Starts a node; with the same `data` it is the same node. */
  start(config?: Partial<NodeConfig>): Promise<StorageNode>
  folder(): Promise<string>
  stop(): Promise<void>
}

export async function createTestEnv(): Promise<TestEnv> {
  const server = await startFakeServer()
  const nodes: StorageNode[] = []
  const folders: string[] = []
  const env: TestEnv = {
    server,
    async folder() {
      const path = await mkdtemp(join(tmpdir(), 'tidenet-node-'))
      folders.push(path)
      return path
    },
    async start(config = {}) {
      const node = await createNode({
        env: 'test',
        server: server.url,
        host: '127.0.0.1',
        port: 0,
        data: config.data ?? (await env.folder()),
        kind: 'candidate',
        area: 'Asia-China-Guangdong-Shenzhen',
        capacity: 2 ** 33,
        latitude: 22.5,
        longitude: 114,
        name: 'test',
        joinToken: '',
        owner: '',
        logLevel: 'silent',
        privateNodes: true,
        clock: createClock(),
        ...config,
      })
      nodes.push(node)
      return node
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop().catch(() => {})))
      await server.stop()
      await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })))
    },
  }
  return env
}

/** Random bytes and their CID. */
export async function randomFile(size: number): Promise<{ bytes: Buffer; cid: string }> {
  const bytes = randomBytes(size)
  const hasher = createFileHasher()
  hasher.update(bytes)
  return { bytes, cid: (await hasher.finish()).cid.toString() }
}

/** A form with the file, as browsers send it. */
export function form(bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'file.bin')
  return form
}

/** Status and body of an upload response. */
type Answered = { status: number; code: number; err: number; msg: string; cid?: string; receipt?: string }

/** Uploads a folder's archive and returns the response. */
export async function uploadArchive(
  env: TestEnv,
  node: StorageNode,
  folder: { cid: string; archive: Buffer },
  options: { as?: 'form' | 'body'; claims?: Partial<UploadClaims>; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const token = await env.server.uploadToken(node.id, { kind: 'car', cid: folder.cid, ...options.claims })
  const asForm = options.as === 'form'
  const answer = await fetch(`${node.url}/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(!asForm && { 'content-type': 'application/car' }),
      ...options.headers,
    },
    body: asForm ? form(folder.archive) : Uint8Array.from(folder.archive),
  })
  return { status: answer.status, ...((await answer.json()) as Omit<Answered, 'status'>) }
}

/** Uploads a file and returns the response. */
export async function upload(
  env: TestEnv,
  node: StorageNode,
  bytes: Uint8Array,
  claims: Partial<UploadClaims> = {},
): Promise<Answered> {
  const token = await env.server.uploadToken(node.id, claims)
  const answer = await fetch(`${node.url}/uploadv2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form(bytes),
  })
  return { status: answer.status, ...((await answer.json()) as Omit<Answered, 'status'>) }
}
