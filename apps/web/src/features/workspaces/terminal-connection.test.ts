import { TERMINAL_CLOSES } from '@tidenet/contract/terminal'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ConnectionState,
  closedFor,
  connectTerminal,
  readFrame,
  sizeFrame,
  typedFrame,
} from './terminal-connection.ts'

const buffer = (...bytes: number[]) => new Uint8Array(bytes).buffer

describe('terminal frames', () => {
  it('encode input and window size', () => {
    expect([...typedFrame('ls\r')]).toEqual([0, 108, 115, 13])
    expect([...typedFrame('潮')]).toEqual([0, 0xe6, 0xbd, 0xae])
    expect([...typedFrame(new Uint8Array([255]))]).toEqual([0, 255])
    expect([...sizeFrame(300, 40)]).toEqual([1, 1, 44, 0, 40])
  })

  it('decode output and exit code', () => {
    expect(readFrame(buffer(0, 1, 2))).toEqual({ bytes: new Uint8Array([1, 2]) })
    expect(readFrame(buffer(0))).toEqual({ bytes: new Uint8Array() })
    expect(readFrame(buffer(2, 0, 0, 0, 137))).toEqual({ exit: 137 })
    expect(readFrame(buffer(2, 255, 255, 255, 255))).toEqual({ exit: -1 })
  })

  it('of an unknown kind are ignored', () => {
    for (const frame of [buffer(), buffer(1, 0, 80, 0, 24), buffer(2, 0), buffer(9)])
      expect(readFrame(frame)).toBeUndefined()
  })

  it('map known close codes to reasons', () => {
    for (const [name, code] of Object.entries(TERMINAL_CLOSES)) expect(closedFor(code)).toBe(name)
    for (const code of [1000, 1001, 1006, 4000]) expect(closedFor(code)).toBeUndefined()
  })
})

/** A fake WebSocket controlled by the test. */
class FakeSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static opened: FakeSocket[] = []
  readyState = FakeSocket.CONNECTING
  sent: Uint8Array[] = []
  onopen?: () => void
  onmessage?: (event: { data: ArrayBuffer }) => void
  onclose?: (event: { code: number }) => void
  readonly url: URL
  readonly protocols: string[]
  constructor(url: URL, protocols: string[]) {
    this.url = url
    this.protocols = protocols
    FakeSocket.opened.push(this)
  }
  send(frame: Uint8Array) {
    this.sent.push(frame)
  }
  close() {
    this.readyState = 3
  }
  open() {
    this.readyState = FakeSocket.OPEN
    this.onopen?.()
  }
  end(code: number) {
    this.readyState = 3
    this.onclose?.({ code })
  }
}

describe('connectTerminal', () => {
  let states: ConnectionState[]
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('WebSocket', FakeSocket)
    vi.stubGlobal('location', { href: 'https://portal.test/console/workloads/w-1/terminal' })
    FakeSocket.opened = []
    states = []
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const connect = () =>
    connectTerminal({
      workload: 'w-1',
      token: () => 'tnc_x',
      size: () => ({ columns: 90, rows: 30 }),
      onBytes: () => {},
      onState: (state) => states.push(state),
    })
  const sockets = () => FakeSocket.opened
  const typed = (socket: FakeSocket | undefined) =>
    socket?.sent.map((frame) => new TextDecoder().decode(frame.subarray(1))).join('')

  it('sends program and size in the URL, but not the token', () => {
    connect()
    const [socket] = sockets()
    expect(socket?.url.protocol).toBe('wss:')
    expect(Object.fromEntries(socket?.url.searchParams ?? [])).toEqual({ workload: 'w-1', columns: '90', rows: '30' })
    expect(socket?.url.href).not.toContain('tnc_x')
    expect(socket?.protocols.some((protocol) => protocol.endsWith('tnc_x'))).toBe(true)
  })

  it('buffers input until the connection is open', () => {
    const { type } = connect()
    type('on')
    type('ce')
    expect(typed(sockets()[0])).toBe('')
    sockets()[0]?.open()
    type(' more')
    expect(typed(sockets()[0])).toBe('once more')
  })

  it('is open when the program answers, and reconnects with increasing delays', () => {
    connect()
    sockets()[0]?.open()
    expect(states.map(({ status }) => status)).toEqual(['connecting'])
    sockets()[0]?.onmessage?.({ data: buffer(0, 36) })
    sockets()[0]?.end(1006)
    expect(states.at(-1)).toMatchObject({ status: 'waiting', at: Date.now() + 1000 })
    vi.advanceTimersByTime(1000)
    sockets()[1]?.end(1006)
    expect(states.at(-1)).toMatchObject({ status: 'waiting', at: Date.now() + 2000 })
    vi.advanceTimersByTime(2000)
    expect(sockets()).toHaveLength(3)
  })

  it('does not send input of a broken connection to the next shell', () => {
    const { type } = connect()
    sockets()[0]?.open()
    sockets()[0]?.end(1006)
    type('rm -r old')
    vi.advanceTimersByTime(1000)
    sockets()[1]?.open()
    expect(typed(sockets()[1])).toBe('')
  })

  it('does not reconnect after the shell ended, the server closed it with a reason, or the page was left', () => {
    connect()
    sockets()[0]?.onmessage?.({ data: buffer(2, 0, 0, 0, 7) })
    sockets()[0]?.end(1000)
    expect(states.at(-1)).toEqual({ status: 'ended', code: 7 })
    connect()
    sockets()[1]?.end(TERMINAL_CLOSES.stopped)
    expect(states.at(-1)).toEqual({ status: 'closed', why: 'stopped' })
    connect().close()
    sockets()[2]?.end(1006)
    vi.advanceTimersByTime(60_000)
    expect(sockets()).toHaveLength(3)
  })
})
