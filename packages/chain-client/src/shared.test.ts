import { expect, it } from 'vitest'
import { shared } from './port.ts'

it('those who ask while a question is on its way share a newer answer', async () => {
  let height = 1
  let questions = 0
  const release: (() => void)[] = []
  const status = shared(async () => {
    questions += 1
    const known = height
    await new Promise<void>((resolve) => release.push(resolve))
    return known
  })
  const first = status()
  height = 2
  const later = [status(), status(), status()]
  release[0]?.()
  expect(await first).toBe(1)
  await expect.poll(() => release.length).toBe(2)
  release[1]?.()
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  expect(questions).toBe(2)
})

it('a question that fails does not fail those who ask meanwhile', async () => {
  let questions = 0
  const ask = shared(async () => {
    questions += 1
    await Promise.resolve()
    if (questions === 1) throw new Error('unreachable')
    return questions
  })
  const first = ask()
  const second = ask()
  await expect(first).rejects.toThrow('unreachable')
  expect(await second).toBe(2)
})
