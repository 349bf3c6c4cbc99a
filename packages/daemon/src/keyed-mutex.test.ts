import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

/** A step that records its start and end. */
const noting = (seen: string[], name: string) => async () => {
  seen.push(`${name} begins`)
  await new Promise((resolve) => setTimeout(resolve, 5))
  seen.push(`${name} ends`)
  return name
}

it('runs steps with one key in order', async () => {
  const inTurn = createKeyedMutex()
  const seen: string[] = []
  const names = ['a', 'b', 'c']
  expect(await Promise.all(names.map((name) => inTurn('x', noting(seen, name))))).toEqual(names)
  expect(seen).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]))
})

it('runs steps with different keys concurrently', async () => {
  const inTurn = createKeyedMutex()
  const seen: string[] = []
  await Promise.all(['a', 'b'].map((name) => inTurn(name, noting(seen, name))))
  expect(seen.slice(0, 2)).toEqual(['a begins', 'b begins'])
})

it('continues after a failed step', async () => {
  const inTurn = createKeyedMutex()
  const seen: string[] = []
  const failing = inTurn('x', () => Promise.reject(new Error('lost')))
  const next = inTurn('x', noting(seen, 'a'))
  await expect(failing).rejects.toThrow('lost')
  // The name is held by a waiting step, so a new one waits for it.
  await Promise.all([next, inTurn('x', noting(seen, 'b'))])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})
