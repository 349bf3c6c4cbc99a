import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeControl } from '@tidenet/contract'

/** What an attacker changes in a real node: its calls to the server, the answers, and what it sends to others. */
export interface Bend {
  /** Changes the input of a call to the server, in place. */
  sends?(call: NodeCall, input: Fields): void
  /** Changes the answer of the server before the node sees it, in place. */
  receives?(call: NodeCall, data: Fields): void
  /** Answers a request of a reader, auditor or other node; returns false to pass it on to the node. */
  serves?(request: IncomingMessage, answer: ServerResponse): boolean
  /** Changes bytes that the node sends. */
  changes?(part: Buffer, request: IncomingMessage): Buffer
}

type NodeCall = keyof typeof nodeControl
// biome-ignore lint/suspicious/noExplicitAny: an attacker may change any field to anything
type Fields = Record<string, any>

const callOf = new Map(Object.entries(nodeControl).map(([name, { path }]) => [path as string, name as NodeCall]))

/** The way of a real node to the server. */
export interface Gate {
  origin: string
  /** Lets the node send its next heartbeat, and waits for its answer. */
  beat(): Promise<void>
  /** A call that the node's software would not make, with the node's token. */
  call(call: NodeCall, input: Fields): Promise<{ code: number; data?: Fields }>
  close(): Promise<void>
}

const BEAT_MS = 3000

/**
 * Opens the way of a real node to the server. The node's calls come from its own address. Answers without news are held until the next
 * step, because the node's time does not pass in between.
 */
export async function openGate(address: string, server: string, bend: Bend = {}): Promise<Gate> {
  let beats = 0
  /** With the node's token. */
  let headers: IncomingHttpHeaders = {}
  const held = new Set<() => void>()
  const waiting = new Set<() => void>()

  const listening = createServer(async (asked, answer) => {
    try {
      const call = callOf.get(asked.url ?? '')
      if (asked.headers.authorization) headers = { ...asked.headers }
      const input = JSON.parse(await textOf(asked))
      if (call === 'heartbeat') input.wait = 0
      if (call) bend.sends?.(call, input)
      const answered = await forward(asked.headers, asked.url ?? '/', JSON.stringify(input), address, server)
      const body = JSON.parse(answered.text)
      if (call && body.code === 0) bend.receives?.(call, body.data)
      const reply = () => {
        held.delete(reply)
        answer.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      if (call !== 'heartbeat') return reply()
      beats += 1
      for (const wake of [...waiting]) wake()
      if (body.code !== 0 || body.data.work.length > 0 || body.data.ended.length > 0) return reply()
      held.add(reply)
      answer.on('close', () => held.delete(reply))
    } catch {
      answer.destroy()
    }
  })
  const origin = await listen(listening, address)

  return {
    origin,
    async beat() {
      const next = beats + 1
      for (const reply of [...held]) reply()
      await new Promise<void>((resolve) => {
        const end = () => {
          if (beats < next) return
          done()
        }
        const done = () => {
          clearTimeout(limit)
          waiting.delete(end)
          resolve()
        }
        const limit = setTimeout(done, BEAT_MS)
        waiting.add(end)
      })
    },
    async call(call, input) {
      const { text } = await forward(headers, nodeControl[call].path, JSON.stringify(input), address, server)
      return JSON.parse(text)
    },
    async close() {
      for (const reply of [...held]) reply()
      await closeServer(listening)
    },
  }
}

/** The public address of a real node of an attacker. */
export async function openFront(address: string, bend: Bend) {
  let target = ''
  let gone = false
  const listening = createServer((asked, answer) => {
    // A node that is still registering is not reachable yet.
    if (gone || !target) return void asked.socket.destroy()
    if (bend.serves?.(asked, answer)) return
    const onward = request(target + asked.url, { method: asked.method, headers: asked.headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers)
      from.on('data', (part: Buffer) => answer.write(bend.changes?.(part, asked) ?? part))
      from.on('end', () => answer.end())
      from.on('error', () => answer.destroy())
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  const origin = await listen(listening, address)
  return {
    origin,
    /** The node behind it. */
    leadTo(url: string) {
      target = url
    },
    /** Whether it refuses all connections. */
    vanish(away: boolean) {
      gone = away
      if (away) listening.closeAllConnections()
    },
    close: () => closeServer(listening),
  }
}

async function forward(from: IncomingHttpHeaders, path: string, body: string, localAddress: string, server: string) {
  const { 'content-length': _, host: __, ...headers } = from
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const onward = request(
      server + path,
      { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, localAddress },
      (answer) => textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject),
    )
    onward.on('error', reject)
    onward.end(body)
  })
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

async function listen(server: Server, address: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, address, resolve)
  })
  return `http://${address}:${(server.address() as AddressInfo).port}`
}

const closeServer = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
