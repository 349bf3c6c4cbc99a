import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createKept } from './kept.ts'

let storage: Map<string, string>
beforeEach(() => {
  storage = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

const initial = { name: '', rows: 10 }
const kept = () => JSON.parse(storage.get('seat') ?? 'null')

it('begins with what was kept, and with the beginning where nothing was', () => {
  expect(createKept('seat', initial).getState()).toEqual(initial)
  expect(storage.size).toBe(0)
  storage.set('seat', '{"state":{"rows":20},"version":1}')
  expect(createKept('seat', initial).getState()).toEqual({ name: '', rows: 20 })
})

it('keeps every change', () => {
  const store = createKept('seat', initial)
  store.setState({ rows: 25 })
  store.setState(({ rows }) => ({ rows: rows * 2 }))
  expect(kept()).toEqual({ state: { name: '', rows: 50 }, version: 1 })
})

it('takes over what another tab has kept, and does not send it back', () => {
  const store = createKept('seat', initial)
  store.setState({ name: 'Ada' })
  storage.set('seat', '{"state":{"name":"Grace","rows":10}}')
  store.reread()
  expect(store.getState().name).toBe('Grace')
  expect(kept()).not.toHaveProperty('version')
  storage.delete('seat')
  store.reread()
  expect(store.getState()).toEqual(initial)
})

it.each(['', 'no JSON', '7', '{"state":"x"}', 'null'])(
  'what somebody else left under its name is refused: %s',
  (left) => {
    storage.set('seat', left)
    expect(createKept('seat', initial, ({ rows }) => ({ name: '', rows: rows === 20 ? 20 : 10 })).getState()).toEqual(
      initial,
    )
  },
)

it('works without storage as long as the page lives', () => {
  vi.stubGlobal('localStorage', undefined)
  const store = createKept('seat', initial)
  store.setState({ rows: 20 })
  expect(store.getState().rows).toBe(20)
})
