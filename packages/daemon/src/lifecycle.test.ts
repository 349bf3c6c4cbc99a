import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Host, type Life, type Running, runProgram, StartError } from './lifecycle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)

function setup(options: { ipc?: boolean; env?: Record<string, string>; connected?: boolean } = {}) {
  const events = new EventEmitter()
  const sent: unknown[] = []
  const exits: number[] = []
  const printed: string[] = []
  const announced: unknown[] = []
  const host: Host = {
    env: options.env ?? {},
    connected: options.connected ?? true,
    on: (event, listener) => events.on(event, listener as (...args: unknown[]) => void),
    exit: (code) => void exits.push(code),
    ...(options.ipc === false ? {} : { send: (message: unknown) => sent.push(message) }),
  }
  const run = (start: (life: Life) => Promise<Running>) =>
    runProgram(start, { host, print: (line) => printed.push(line), announce: (ready) => announced.push(ready) })
  return { events, sent, exits, printed, announced, run }
}

const program = (extra: Partial<Running> = {}): Running => ({
  ready: { url: 'http://127.0.0.1:1', port: 1 },
  stop: async () => {},
  ...extra,
})

describe('a program', () => {
  it('notifies its parent when it is ready', async () => {
    const { run, sent, announced } = setup()
    run(async () => program())
    await settle()
    expect(sent).toEqual([{ type: 'ready', url: 'http://127.0.0.1:1', port: 1 }])
    expect(announced).toEqual([])
  })

  it('prints that it is ready if there is no parent', async () => {
    const { run, announced } = setup({ ipc: false })
    run(async () => program())
    await settle()
    expect(announced).toEqual([{ url: 'http://127.0.0.1:1', port: 1 }])
  })

  it.each(['SIGINT', 'SIGTERM', 'disconnect'])('stops gracefully on %s', async (event) => {
    const { run, events, exits } = setup()
    run(async () => program())
    await settle()
    events.emit(event)
    await settle()
    expect(exits).toEqual([0])
  })

  it('exits at once on a second signal', async () => {
    const { run, events, exits } = setup()
    run(async () => program({ stop: () => new Promise(() => {}) }))
    await settle()
    events.emit('SIGINT')
    // The same key press, forwarded by npm.
    events.emit('SIGINT')
    expect(exits).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    events.emit('SIGINT')
    expect(exits).toEqual([130])
  })

  it('exits after 8 seconds if stopping hangs, and within 5 if its parent is gone', async () => {
    const signalled = setup()
    signalled.run(async () => program({ stop: () => new Promise(() => {}) }))
    const orphaned = setup()
    orphaned.run(async () => program({ stop: () => new Promise(() => {}) }))
    await settle()
    signalled.events.emit('SIGTERM')
    orphaned.events.emit('disconnect')
    await vi.advanceTimersByTimeAsync(5_000)
    expect([signalled.exits, orphaned.exits]).toEqual([[], [1]])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(signalled.exits).toEqual([1])
  })

  it('stops what it has started if a signal arrives during startup', async () => {
    const { run, events, exits, sent } = setup()
    let stops = 0
    run(async ({ stopping }) => {
      await new Promise((resolve) => stopping.addEventListener('abort', resolve))
      return program({ stop: async () => void stops++ })
    })
    events.emit('SIGTERM')
    await settle()
    expect({ stops, exits, sent }).toEqual({ stops: 1, exits: [0], sent: [] })
  })

  it('prints nothing about an interrupted startup', async () => {
    const { run, events, exits, printed } = setup()
    run(async ({ stopping }) => {
      await new Promise((resolve) => stopping.addEventListener('abort', resolve))
      throw new StartError('Node 1 did not start.')
    })
    events.emit('SIGINT')
    await settle()
    expect({ exits, printed }).toEqual({ exits: [0], printed: [] })
  })

  it('can stop itself', async () => {
    const { run, exits } = setup()
    run(async (life) => {
      setTimeout(() => life.stop('The database is gone.', 1), 100)
      return program()
    })
    await vi.advanceTimersByTimeAsync(100)
    expect(exits).toEqual([1])
  })

  it('moves its clock and confirms it', async () => {
    const { run, events, sent } = setup()
    const moved: number[] = []
    run(async () => program({ onClock: (offsetMs) => void moved.push(offsetMs) }))
    await settle()
    events.emit('message', { type: 'clock', offsetMs: 86_400_000 })
    await settle()
    expect(moved).toEqual([86_400_000])
    expect(sent.at(-1)).toEqual({ type: 'clock', offsetMs: 86_400_000 })
  })

  it('is ready only after applying a clock change made during startup', async () => {
    const { run, events, sent } = setup()
    run(async () => {
      events.emit('message', { type: 'clock', offsetMs: 5 })
      return program({ onClock: () => {} })
    })
    await settle()
    expect(sent.map((message) => (message as { type: string }).type)).toEqual(['clock', 'ready'])
  })

  it('prints only the message if it cannot start for a known reason, the stack otherwise', async () => {
    const known = setup()
    known.run(async () => Promise.reject(new StartError('Port 80 is taken. Set TIDENET_PORT.')))
    const unknown = setup()
    unknown.run(async () => Promise.reject(new Error('boom')))
    await settle()
    expect(known.printed).toEqual(['Port 80 is taken. Set TIDENET_PORT.'])
    expect(unknown.printed[0]).toContain('lifecycle.test.ts')
    expect([known.exits, unknown.exits]).toEqual([[1], [1]])
  })

  it('does not start for a parent that is already gone', async () => {
    const { run, exits } = setup({ connected: false })
    let started = false
    run(async () => {
      started = true
      return program()
    })
    await settle()
    expect({ started, exits }).toEqual({ started: false, exits: [0] })
  })

  it.each(['NODE_ENV', 'TIDENET_ENV'])('refuses another clock when %s is production', async (name) => {
    const { run, events, sent } = setup({ env: { [name]: 'production' } })
    const moved: number[] = []
    run(async () => program({ onClock: (offsetMs) => void moved.push(offsetMs) }))
    await settle()
    events.emit('message', { type: 'clock', offsetMs: 1 })
    await settle()
    expect(moved).toEqual([])
    expect(sent).toHaveLength(1)
  })
})
