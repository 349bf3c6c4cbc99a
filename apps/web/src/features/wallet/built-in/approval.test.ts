import { expect, it } from 'vitest'
import { approved, maySign } from './approval.ts'
import { useBuiltIn } from './state.ts'

const decide = (answer: Parameters<NonNullable<ReturnType<typeof useBuiltIn.getState>['request']>['decide']>[0]) =>
  useBuiltIn.getState().request?.decide(answer)

it('what was read and agreed to is approved', async () => {
  const asked = approved('transaction', 'pay 5')
  decide({ yes: true, read: 'pay 5' })
  await expect(asked).resolves.toBeUndefined()
  expect(useBuiltIn.getState().request).toBeUndefined()
})

it('one request is open at a time', async () => {
  const first = approved('text', 'one')
  await expect(approved('text', 'two')).rejects.toMatchObject({ problem: 'promptOpen' })
  decide({ yes: false })
  await expect(first).rejects.toMatchObject({ problem: 'rejected' })
})

it('Sign may be pressed once what is signed was on the screen', () => {
  const request = { kind: 'transaction', shown: 'pay 5' } as const
  expect(maySign(request, { text: 'pay 5', inWords: true }, false)).toBe(true)
  expect(maySign(request, { text: 'pay 5', inWords: false }, true)).toBe(true)
  expect(maySign({ kind: 'connect', shown: '' }, undefined, false)).toBe(true)
})

it('and not before, nor for what was shown of another request, nor unread for what cannot be said in words', () => {
  const request = { kind: 'transaction', shown: 'pay 5' } as const
  expect(maySign(request, undefined, true)).toBe(false)
  expect(maySign(request, { text: 'pay 1', inWords: true }, true)).toBe(false)
  expect(maySign(request, { text: 'pay 5', inWords: false }, false)).toBe(false)
  expect(maySign({ kind: 'text', shown: 'hello' }, undefined, true)).toBe(false)
})

it.each(['', 'pay 1', 'pay 5 '])('a yes to %j signs nothing else', async (read) => {
  const asked = approved('transaction', 'pay 5')
  decide({ yes: true, read })
  await expect(asked).rejects.toMatchObject({ problem: 'rejected' })
})
