import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StreamOptions } from './event-stream.ts'

/** Connections to the server: the id they start after, and how the server sends an event. */
let connections: { after: string; send: (id: string, data: string) => void; isOpen: boolean }[]

vi.mock('./event-stream.ts', () => ({
  openEventStream: ({ lastId, onEvent, onState }: StreamOptions) => {
    const connection = {
      after: lastId,
      isOpen: true,
      send: (id: string, data: string) => onEvent({ id, type: 'message', data }),
    }
    connections.push(connection)
    onState?.(true)
    return () => {
      connection.isOpen = false
    }
  },
}))
const { openSharedStream } = await import('./shared-stream.ts')

/** Web Locks, which Node.js 20 does not have. */
function fakeLocks() {
  const held = new Map<string, Promise<unknown>>()
  return {
    request: async (name: string, { signal }: { signal: AbortSignal }, run: () => Promise<unknown> | undefined) => {
      while (held.has(name)) {
        await held.get(name)
        if (signal.aborted) throw new DOMException('aborted', 'AbortError')
      }
      const running = Promise.resolve(run()).finally(() => held.delete(name))
      held.set(name, running)
      await running
    },
  }
}

function openTab(name = 'chat') {
  const events: string[] = []
  const states: boolean[] = []
  const close = openSharedStream(name, {
    url: '/events',
    headers: () => ({}),
    lastId: '',
    onEvent: ({ data }) => events.push(data),
    onState: (open) => states.push(open),
  })
  return { events, states, close }
}
type Tab = ReturnType<typeof openTab>

const opened = () => connections.filter(({ isOpen }) => isOpen)

describe('the tabs of a browser', () => {
  let tabs: Tab[]
  const tab = (name?: string): Tab => {
    const opened = openTab(name)
    tabs.push(opened)
    return opened
  }
  beforeEach(() => {
    connections = []
    tabs = []
    vi.stubGlobal('navigator', { locks: fakeLocks() })
  })
  afterEach(() => {
    for (const { close } of tabs) close()
    vi.unstubAllGlobals()
  })

  it('have one connection together, and all get every event and the state', async () => {
    const [first, second] = [tab(), tab()]
    await vi.waitFor(() => expect(second.states).toContain(true))
    expect(connections).toHaveLength(1)
    connections[0]?.send('1', 'a')
    await vi.waitFor(() => expect([first.events, second.events]).toEqual([['a'], ['a']]))
    expect(first.states).toEqual([true])
  })

  it('continue after the last event when the connected tab is closed', async () => {
    const [first, second] = [tab(), tab()]
    await vi.waitFor(() => expect(connections).toHaveLength(1))
    connections[0]?.send('7', 'a')
    await vi.waitFor(() => expect(second.events).toEqual(['a']))
    first.close()
    await vi.waitFor(() => expect(opened()).toHaveLength(1))
    expect(opened()[0]?.after).toBe('7')
    opened()[0]?.send('8', 'b')
    expect(second.events).toEqual(['a', 'b'])
  })

  it('of two accounts do not share a connection', async () => {
    const [mine, theirs] = [tab('mine'), tab('theirs')]
    await vi.waitFor(() => expect(connections).toHaveLength(2))
    connections[0]?.send('1', 'a')
    await vi.waitFor(() => expect(mine.events).toEqual(['a']))
    expect(theirs.events).toEqual([])
  })

  it('connect each on their own where tabs cannot agree', () => {
    vi.stubGlobal('navigator', {})
    tab()
    tab()
    expect(connections).toHaveLength(2)
  })
})
