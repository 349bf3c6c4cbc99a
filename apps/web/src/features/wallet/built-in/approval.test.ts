import { expect, it } from 'vitest'
import { canSign, requestApproval } from './approval.ts'
import { useBuiltIn } from './state.ts'

const decide = (answer: Parameters<NonNullable<ReturnType<typeof useBuiltIn.getState>['request']>['decide']>[0]) =>
  useBuiltIn.getState().request?.decide(answer)

it('approves the text that was shown', async () => {
  const asked = requestApproval('transaction', 'pay 5')
  decide({ yes: true, text: 'pay 5' })
  await expect(asked).resolves.toBeUndefined()
  expect(useBuiltIn.getState().request).toBeUndefined()
})

it('allows one request at a time', async () => {
  const first = requestApproval('text', 'one')
  await expect(requestApproval('text', 'two')).rejects.toMatchObject({ problem: 'promptOpen' })
  decide({ yes: false })
  await expect(first).rejects.toMatchObject({ problem: 'rejected' })
})

it('enables signing after the text was shown', () => {
  const request = { kind: 'transaction', text: 'pay 5' } as const
  expect(canSign(request, { text: 'pay 5', explained: true }, false)).toBe(true)
  expect(canSign(request, { text: 'pay 5', explained: false }, true)).toBe(true)
  expect(canSign({ kind: 'connect', text: '' }, undefined, false)).toBe(true)
})

it('does not enable signing before, for the text of another request, or without consent to an unexplained text', () => {
  const request = { kind: 'transaction', text: 'pay 5' } as const
  expect(canSign(request, undefined, true)).toBe(false)
  expect(canSign(request, { text: 'pay 1', explained: true }, true)).toBe(false)
  expect(canSign(request, { text: 'pay 5', explained: false }, false)).toBe(false)
  expect(canSign({ kind: 'text', text: 'hello' }, undefined, true)).toBe(false)
})

it.each(['', 'pay 1', 'pay 5 '])('does not accept the approval of %j for another text', async (text) => {
  const asked = requestApproval('transaction', 'pay 5')
  decide({ yes: true, text })
  await expect(asked).rejects.toMatchObject({ problem: 'rejected' })
})
