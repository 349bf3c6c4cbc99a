import {
  TERMINAL_BEARER,
  TERMINAL_CLOSES,
  TERMINAL_FRAMES,
  TERMINAL_PATH,
  TERMINAL_PROTOCOL,
} from '@tidenet/contract/terminal'

/** Why a terminal was closed, as the server says it. */
export type Closed = keyof typeof TERMINAL_CLOSES

export type ConnectionState =
  | { is: 'connecting' }
  | { is: 'open' }
  /** The connection broke; it is tried again at `at`, in ms since 1970. */
  | { is: 'waiting'; at: number }
  /** The shell has ended by itself. */
  | { is: 'ended'; code: number }
  | { is: 'closed'; why: Closed }

const FIRST_WAIT = 1000
const LONGEST_WAIT = 15_000

/** What a frame of the server says. */
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

/** As much as one frame may hold, its mark included. */
const TYPED_MAX = 32 * 1024

interface ConnectionOptions {
  workload: string
  token: () => string
  size: () => { columns: number; rows: number }
  onBytes: (bytes: Uint8Array) => void
  onState: (state: ConnectionState) => void
}

/** The connection of a terminal: taken up again when it breaks, not when the server has ended it. */
export function connectTerminal({ workload, token, size, onBytes, onState }: ConnectionOptions) {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let over = false
  /** Typed while the connection is being made. What was typed into a broken one is for no other shell. */
  let early: Uint8Array[] = []
  const send = (typed: Uint8Array) => {
    for (let at = 0; at < typed.length; at += TYPED_MAX) socket?.send(typedFrame(typed.subarray(at, at + TYPED_MAX)))
  }

  const open = () => {
    clearTimeout(timer)
    onState({ is: 'connecting' })
    const { columns, rows } = size()
    const query = new URLSearchParams({ workload, columns: String(columns), rows: String(rows) })
    const url = new URL(`${TERMINAL_PATH}?${query}`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const mine = new WebSocket(url, [TERMINAL_PROTOCOL, TERMINAL_BEARER + token()])
    socket = mine
    mine.binaryType = 'arraybuffer'
    early = []
    let exit: number | undefined
    let shown = false
    mine.onopen = () => {
      if (mine !== socket) return
      for (const typed of early.splice(0)) send(typed)
    }
    mine.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const frame = readFrame(data)
      if (!frame || mine !== socket) return
      if ('exit' in frame) {
        exit = frame.exit
        return
      }
      if (!shown) {
        // The program answers: before that an open connection promises nothing.
        shown = true
        tries = 0
        onState({ is: 'open' })
      }
      onBytes(frame.bytes)
    }
    mine.onclose = ({ code }) => {
      if (mine !== socket || over) return
      const why = closedFor(code)
      if (exit !== undefined) onState({ is: 'ended', code: exit })
      else if (why) onState({ is: 'closed', why })
      else {
        const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries)
        tries += 1
        onState({ is: 'waiting', at: Date.now() + wait })
        timer = setTimeout(open, wait)
      }
    }
  }
  open()
  return {
    /** Connects again, to a new shell. */
    again() {
      socket?.close()
      open()
    },
    type(text: string | Uint8Array) {
      const typed = typeof text === 'string' ? new TextEncoder().encode(text) : text
      if (socket?.readyState === WebSocket.OPEN) send(typed)
      else if (socket?.readyState === WebSocket.CONNECTING) early.push(typed)
    },
    resize(columns: number, rows: number) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(sizeFrame(columns, rows))
    },
    close() {
      over = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}

export type TerminalConnection = ReturnType<typeof connectTerminal>
