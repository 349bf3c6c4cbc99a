import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPersistedStore } from './persisted-store.ts'

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
const stored = () => JSON.parse(storage.get('seat') ?? 'null')

it('starts with the stored state, or the initial state if nothing is stored', () => {
  expect(createPersistedStore('seat', initial).getState()).toEqual(initial)
  expect(storage.size).toBe(0)
  storage.set('seat', '{"state":{"rows":20},"version":1}')
  expect(createPersistedStore('seat', initial).getState()).toEqual({ name: '', rows: 20 })
})

it('stores every change', () => {
  const store = createPersistedStore('seat', initial)
  store.setState({ rows: 25 })
  store.setState(({ rows }) => ({ rows: rows * 2 }))
  expect(stored()).toEqual({ state: { name: '', rows: 50 }, version: 1 })
})

it('loads what another tab stored, without writing it back', () => {
  const store = createPersistedStore('seat', initial)
  store.setState({ name: 'Ada' })
  storage.set('seat', '{"state":{"name":"Grace","rows":10}}')
  store.reread()
  expect(store.getState().name).toBe('Grace')
  expect(stored()).not.toHaveProperty('version')
  storage.delete('seat')
  store.reread()
  expect(store.getState()).toEqual(initial)
})

it.each(['', 'no JSON', '7', '{"state":"x"}', 'null'])('ignores an invalid stored value: %s', (value) => {
  storage.set('seat', value)
  expect(
    createPersistedStore('seat', initial, ({ rows }) => ({ name: '', rows: rows === 20 ? 20 : 10 })).getState(),
  ).toEqual(initial)
})

it('keeps its state in memory when storage is unavailable', () => {
  vi.stubGlobal('localStorage', undefined)
  const store = createPersistedStore('seat', initial)
  store.setState({ rows: 20 })
  expect(store.getState().rows).toBe(20)
})
