import { expect, it } from 'vitest'
import { newPass, readPass, sealPass } from './tickets.ts'

const key = new Uint8Array(32).fill(7)
const pass = newPass({ kind: 'pass', label: 'web-0123456789ab', workload: 'w1', by: { session: 'aa' }, until: 1000 })
const sealed = sealPass(key, pass)

it('a pass is valid for its address until its end', () => {
  expect(readPass(key, sealed, { kind: 'pass', label: pass.label }, 999)).toEqual(pass)
})

it.each([
  ['of another address', key, sealed, { kind: 'pass', label: 'web-ba9876543210' }, 0],
  ['of another kind', key, sealed, { kind: 'ticket', label: pass.label }, 0],
  ['that is over', key, sealed, { kind: 'pass', label: pass.label }, 1000],
  ['of another network', new Uint8Array(32), sealed, { kind: 'pass', label: pass.label }, 0],
  ['that was changed', key, `e30${sealed}`, { kind: 'pass', label: pass.label }, 0],
  ['without a signature', key, sealed.split('.')[0] ?? '', { kind: 'pass', label: pass.label }, 0],
  ['that is none', key, '', { kind: 'pass', label: pass.label }, 0],
] as const)('refused is one %s', (_, own, text, expected, at) => {
  expect(readPass(own, text, expected, at)).toBeUndefined()
})
