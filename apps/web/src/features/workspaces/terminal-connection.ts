import {
  TERMINAL_BEARER,
  TERMINAL_CLOSES,
  TERMINAL_FRAMES,
  TERMINAL_PATH,
  TERMINAL_PROTOCOL,
} from '@tidenet/contract/terminal'

/** Why the server closed a terminal. */
export type Closed = keyof typeof TERMINAL_CLOSES

export type ConnectionState =
  | { status: 'connecting' }
  | { status: 'open' }
  /** The connection broke; reconnects at `at`, Unix ms. */
  | { status: 'waiting'; at: number }
  /** The shell exited. */
  | { status: 'ended'; code: number }
  | { status: 'closed'; why: Closed }

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 15_000

/** Decodes a frame of the server; undefined for unknown kinds. */
export function readFrame(frame: ArrayBuffer): { bytes: Uint8Array } | { exit: number } | undefined {
  const view = new DataView(frame)
  if (view.byteLength === 0) return undefined
  const kind = view.getUint8(0)
  if (kind === TERMINAL_FRAMES.bytes) return { bytes: new Uint8Array(frame, 1) }
  if (kind === TERMINAL_FRAMES.exit && view.byteLength === 5) return { exit: view.getInt32(1) }
  return undefined
}

export function typedFrame(text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const typed = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const frame = new Uint8Array(typed.length + 1)
  frame[0] = TERMINAL_FRAMES.bytes
  frame.set(typed, 1)
  return frame
}

export function sizeFrame(columns: number, rows: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(5))
  view.setUint8(0, TERMINAL_FRAMES.size)
  view.setUint16(1, columns)
  view.setUint16(3, rows)
  return new Uint8Array(view.buffer)
}

export const closedFor = (code: number): Closed | undefined =>
  (Object.keys(TERMINAL_CLOSES) as Closed[]).find((name) => TERMINAL_CLOSES[name] === code)

/** Maximum payload of a frame. */
const TYPED_MAX = 32 * 1024

interface ConnectionOptions {
  workload: string
  token: () => string
  size: () => { columns: number; rows: number }
  onBytes: (bytes: Uint8Array) => void
  onState: (state: ConnectionState) => void
}

/** Connects a terminal. Reconnects if the connection breaks, but not if the server closed it with a reason. */
export function connectTerminal({ workload, token, size, onBytes, onState }: ConnectionOptions) {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempts = 0
  let closed = false
  /** Input while connecting. Input of a broken connection is discarded, because it is not meant for a new shell. */
  let buffered: Uint8Array[] = []
  const send = (typed: Uint8Array) => {
    for (let at = 0; at < typed.length; at += TYPED_MAX) socket?.send(typedFrame(typed.subarray(at, at + TYPED_MAX)))
  }

  const open = () => {
    clearTimeout(timer)
    onState({ status: 'connecting' })
    const { columns, rows } = size()
    const query = new URLSearchParams({ workload, columns: String(columns), rows: String(rows) })
    const url = new URL(`${TERMINAL_PATH}?${query}`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const mine = new WebSocket(url, [TERMINAL_PROTOCOL, TERMINAL_BEARER + token()])
    socket = mine
    mine.binaryType = 'arraybuffer'
    buffered = []
    let exit: number | undefined
    let shown = false
    mine.onopen = () => {
      if (mine !== socket) return
      for (const typed of buffered.splice(0)) send(typed)
    }
    mine.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const frame = readFrame(data)
      if (!frame || mine !== socket) return
      if ('exit' in frame) {
        exit = frame.exit
        return
      }
      if (!shown) {
        // Open only after the first output: before that the program may still be unreachable.
        shown = true
        attempts = 0
        onState({ status: 'open' })
      }
      onBytes(frame.bytes)
    }
    mine.onclose = ({ code }) => {
      if (mine !== socket || closed) return
      const why = closedFor(code)
      if (exit !== undefined) onState({ status: 'ended', code: exit })
      else if (why) onState({ status: 'closed', why })
      else {
        const wait = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempts)
        attempts += 1
        onState({ status: 'waiting', at: Date.now() + wait })
        timer = setTimeout(open, wait)
      }
    }
  }
  open()
  return {
    /** Connects again, to a new shell. */
    reconnect() {
      socket?.close()
      open()
    },
    type(text: string | Uint8Array) {
      const typed = typeof text === 'string' ? new TextEncoder().encode(text) : text
      if (socket?.readyState === WebSocket.OPEN) send(typed)
      else if (socket?.readyState === WebSocket.CONNECTING) buffered.push(typed)
    },
    resize(columns: number, rows: number) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(sizeFrame(columns, rows))
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}

export type TerminalConnection = ReturnType<typeof connectTerminal>
