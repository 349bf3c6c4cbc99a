import { expect, it } from 'vitest'
import { createStore, type Store } from './store.ts'

/** Random numbers below `end`, the same in each run. */
function dice(seed: number) {
  let state = seed
  return (end: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * end)
  }
}

const byBytes = ([a]: [string, string], [b]: [string, string]) =>
  Buffer.compare(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))

it('is the same as a plain map after many random changes, branches and rollbacks', () => {
  const below = dice(7)
  const key = () => String.fromCharCode(...Array.from({ length: below(4) }, () => below(256)))
  const worlds: { store: Store; expected: Map<string, string> }[] = [{ store: createStore(), expected: new Map() }]
  const setOrDelete = (store: Store, expected: Map<string, string>) => {
    const changed = key()
    if (below(3) === 0) {
      store.delete(changed)
      expected.delete(changed)
    } else {
      const value = String(below(1e6))
      store.set(changed, value)
      expected.set(changed, value)
    }
  }
  for (let round = 0; round < 6_000; round++) {
    const { store, expected } = worlds[below(worlds.length)] as (typeof worlds)[number]
    setOrDelete(store, expected)
    if (below(50) === 0)
      store.runAndRollback(() => {
        for (let each = 0; each < 5; each++) setOrDelete(store, new Map())
      })
    if (below(200) === 0) {
      const world = { store: store.branch(), expected: new Map(expected) }
      if (worlds.length < 4) worlds.push(world)
      else worlds[below(4)] = world
    }
    if (below(50) > 0) continue
    const [start, end] = [key(), key()]
    const wanted = [...expected].filter(([each]) => each >= start && each < end).sort(byBytes)
    expect([...store.range(start, end)]).toEqual(wanted)
    expect([...store.range(start, end, true)]).toEqual(wanted.toReversed())
    expect(store.entries(start)).toEqual([...expected].filter(([each]) => each.startsWith(start)).sort(byBytes))
    expect(store.get(end)).toBe(expected.get(end))
  }
  for (const { store, expected } of worlds) expect([...store.all()]).toEqual([...expected].sort(byBytes))
})

it('reads a range as it was when it was asked for, whatever changes while it is read', () => {
  const store = createStore()
  for (const key of 'abcde') store.set(key, key)
  const read: string[] = []
  for (const [key] of store.range('b', 'e')) {
    read.push(key)
    store.delete('c')
    store.set('bb', 'new')
  }
  expect(read).toEqual(['b', 'c', 'd'])
  expect([...store.range('b', 'e')].map(([key]) => key)).toEqual(['b', 'bb', 'd'])
})

it('reads no more of a range than is asked for', () => {
  const store = createStore()
  for (let key = 0; key < 100_000; key++) store.set(String(key).padStart(6, '0'), '')
  const cpuOf = (work: () => void): number => {
    const start = process.cpuUsage()
    for (let each = 0; each < 200; each++) work()
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const ten = (descending: boolean) => () => {
    const entries = store.range('', '~', descending)[Symbol.iterator]()
    for (let each = 0; each < 10; each++) entries.next()
  }
  const whole = cpuOf(() => [...store.range('050000', '051000')])
  expect(cpuOf(ten(false))).toBeLessThan(whole)
  expect(cpuOf(ten(true))).toBeLessThan(whole)
})
