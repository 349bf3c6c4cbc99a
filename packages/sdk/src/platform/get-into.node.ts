import { connect, type Socket } from 'node:net'
import { type GetIntoRequest, isUnreachable, Unreachable } from './platform.ts'

/**
 * An HTTP/1.1 client for range requests that reads the socket directly into the target buffer. Node's client allocates a buffer for every
 * 64 KiB; at 1 GB/s collecting them costs as much as hashing their contents.
 */
export function getInto(url: string): ((request: GetIntoRequest) => Promise<void>) | undefined {
  if (!url.startsWith('http://')) return undefined
  return unsuited.has(new URL(url).host) ? undefined : get
}

/** Hosts whose responses this client cannot read: chunked, or without a known length. */
const unsuited = new Set<string>()
const idle = new Map<string, Connection[]>()
/** Shorter than the keep-alive timeout of servers. */
const IDLE_MS = 3000
const HEAD_MAX = 16 * 1024
const BROKE = 'the connection broke'
const END = Buffer.from('\r\n\r\n')

/** Handles the data of a connection during one response. */
interface Reader {
  buffer(): Uint8Array
  /** `bytes` were read into the buffer; false pauses reading. */
  took(bytes: number): boolean
  fail(error: Error): void
}

interface Connection {
  socket: Socket
  /** Buffer for response heads. Node chooses the buffer of the next read when the previous one ends, so it belongs to the connection. */
  head: Buffer
  reader: Reader | undefined
  used: boolean
}

function open(host: string, port: number): Connection {
  const head = Buffer.allocUnsafeSlow(HEAD_MAX)
  const connection: Connection = { socket: undefined as unknown as Socket, head, reader: undefined, used: false }
  const socket = connect({
    host,
    port,
    noDelay: true,
    onread: {
      buffer: () => connection.reader?.buffer() ?? head,
      callback(bytes) {
        if (connection.reader) return connection.reader.took(bytes)
        // Data outside of a response.
        socket.destroy()
        return false
      },
    },
  })
  connection.socket = socket
  const gone = () => connection.reader?.fail(new Error(BROKE))
  socket.on('error', (error) => connection.reader?.fail(error))
  socket.on('end', gone)
  socket.on('close', gone)
  socket.on('timeout', () => {
    // Only idle connections are limited.
    for (const [origin, list] of idle)
      idle.set(
        origin,
        list.filter((one) => one !== connection),
      )
    socket.destroy()
  })
  return connection
}

function take(origin: string, host: string, port: number): Connection {
  for (let kept = idle.get(origin)?.pop(); kept; kept = idle.get(origin)?.pop()) {
    if (kept.socket.destroyed || kept.socket.readableEnded) continue
    kept.used = true
    kept.socket.setTimeout(0)
    kept.socket.ref()
    return kept
  }
  return open(host, port)
}

function keep(origin: string, connection: Connection): void {
  const { socket } = connection
  connection.reader = undefined
  const list = idle.get(origin) ?? []
  idle.set(origin, list)
  list.push(connection)
  socket.unref()
  socket.setTimeout(IDLE_MS)
}

async function get(request: GetIntoRequest): Promise<void> {
  try {
    await getOnce(request)
  } catch (error) {
    // The server closed an idle connection; retry on a new one.
    if (!(error instanceof Stale)) throw error
    await getOnce(request)
  }
}

class Stale extends Unreachable {}

function getOnce(request: GetIntoRequest): Promise<void> {
  const { signal, intake } = request
  const url = new URL(request.url)
  const port = Number(url.port || 80)
  if (signal.aborted) return Promise.reject(new Unreachable('aborted', 'stopped before it began'))
  const connection = take(url.host, url.hostname.replace(/^\[|\]$/g, ''), port)
  const { socket, head } = connection

  return new Promise((resolve, reject) => {
    let headBytes = 0
    /** Bytes of the body still missing; undefined while the head is read. */
    let left: number | undefined
    let waiting = false
    /** Whether the next read goes into the target buffer or into a scratch buffer. */
    let direct = false
    let passing = false
    let keepAlive = true
    let over = false

    const timer = setTimeout(() => {
      // Waiting for the disk does not count against the node.
      if (waiting) timer.refresh()
      else fail(new Unreachable('stalled', 'the node stood still'))
    }, request.idleTimeout)
    const settle = () => {
      over = true
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    const fail = (error: unknown) => {
      if (over) return
      settle()
      connection.reader = undefined
      socket.destroy()
      const known = isUnreachable(error) || !(error instanceof Error) || !('code' in error || error.message === BROKE)
      if (known) reject(error)
      else
        reject(
          connection.used && headBytes === 0
            ? new Stale('network', error.message)
            : new Unreachable('network', error.message),
        )
    }
    const stop = () => fail(new Unreachable('aborted', 'stopped'))
    signal.addEventListener('abort', stop)
    const finish = () => {
      if (over) return
      settle()
      if (keepAlive) keep(url.host, connection)
      else socket.destroy()
      resolve()
    }
    /** Continues when the target accepts bytes again. */
    const after = (wait: Promise<void>) => {
      waiting = true
      wait.then(() => {
        waiting = false
        if (over) return
        timer.refresh()
        if (left === 0) finish()
        else socket.resume()
      }, fail)
    }

    /** Parses the head and passes on the part of the body that came with it. */
    const begin = (size: number) => {
      const [first = '', ...lines] = head.toString('latin1', 0, size).split('\r\n')
      const headers = new Map(
        lines.map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
        }),
      )
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
      request.check({ status, header: (name) => headers.get(name.toLowerCase()) })
      const length = headers.get('content-length') ?? ''
      if (!/^\d+$/.test(length) || headers.has('transfer-encoding')) {
        unsuited.add(url.host)
        throw new Unreachable('network', 'an answer of no known length')
      }
      keepAlive = headers.get('connection')?.toLowerCase() !== 'close'
      left = Number(length)
      after(pass(head.subarray(size + END.length, headBytes)))
    }
    const pass = async (bytes: Buffer) => {
      if (bytes.length > left!) throw new Unreachable('network', 'more came than was announced')
      passing = true
      for (let at = 0; at < bytes.length; ) {
        const target = intake.buffer()
        const more = Math.min(target.length, bytes.length - at)
        target.set(bytes.subarray(at, at + more))
        at += more
        left! -= more
        const wait = intake.took(more)
        if (wait) await wait
      }
      passing = false
    }

    connection.reader = {
      buffer() {
        direct = false
        if (left === undefined) return head.subarray(headBytes)
        if (over || passing || left === 0) return head
        try {
          const target = intake.buffer()
          direct = true
          return target.length > left ? target.subarray(0, left) : target
        } catch (error) {
          fail(error)
          return head
        }
      },
      took(bytes) {
        if (over) return false
        timer.refresh()
        try {
          if (left === undefined) {
            headBytes += bytes
            const end = head.subarray(0, headBytes).indexOf(END)
            if (end >= 0) {
              begin(end)
              return false
            }
            if (headBytes === HEAD_MAX) throw new Unreachable('network', 'a head without end')
            return true
          }
          if (!direct) {
            after(pass(head.subarray(0, bytes)))
            return false
          }
          left -= bytes
          const wait = intake.took(bytes)
          if (wait) {
            after(wait)
            return false
          }
          if (left > 0) return true
          finish()
          return true
        } catch (error) {
          fail(error)
          return false
        }
      },
      fail,
    }
    const headers = Object.entries(request.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${headers.join('')}\r\n`)
    if (connection.used) socket.resume()
  })
}
