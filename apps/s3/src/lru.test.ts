import { expect, it } from 'vitest'
import { createLru } from './lru.ts'

const ownerOf = (key: string) => key[0] as string
const keysOf = (lru: { entries(): [string, unknown][] }) => lru.entries().map(([key]) => key)

it('keeps what was used last', () => {
  const dropped: string[] = []
  const lru = createLru<string>(2, undefined, (value) => dropped.push(value))
  lru.set('a', 'A')
  lru.set('b', 'B')
  lru.get('a')
  lru.set('c', 'C')
  expect([keysOf(lru), dropped]).toEqual([['a', 'c'], ['B']])
})

it('keeps up to a cost, and nothing that costs more', () => {
  const lru = createLru<number>(10, (value) => value)
  lru.set('a', 6)
  lru.set('b', 4)
  lru.set('b', 5)
  expect(keysOf(lru)).toEqual(['b'])
  lru.set('c', 11)
  expect(keysOf(lru)).toEqual([])
})

it('drops nothing of who has little, however much somebody else adds', () => {
  const lru = createLru<number>(10, undefined, undefined, ownerOf)
  for (const key of ['a1', 'a2', 'b1']) lru.set(key, 1)
  for (let n = 0; n < 100; n++) lru.set(`x${n}`, 1)
  expect(keysOf(lru).filter((key) => !key.startsWith('x'))).toEqual(['a1', 'a2', 'b1'])
  expect(keysOf(lru)).toContain('x99')
  lru.delete('x99')
  for (let n = 0; n < 3; n++) lru.set(`a${n + 3}`, 1)
  expect(lru.entries()).toHaveLength(10)
})
