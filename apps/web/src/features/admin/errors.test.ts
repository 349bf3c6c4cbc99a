import { errors } from '@tidenet/contract'
import { AUDIT_ACTIONS } from '@tidenet/contract/audit-actions'
import { expect, it } from 'vitest'
import { NEEDS_SECOND_FACTOR } from './errors.ts'
import { texts as en } from './texts.en.ts'
import { texts as zh } from './texts.zh.ts'

it('the number is that of the catalogue', () => {
  expect(NEEDS_SECOND_FACTOR).toBe(errors.operatorSecondFactor.err)
})

it('everything that the audit log tells of has words in both languages', () => {
  for (const { audit } of [en, zh]) expect(AUDIT_ACTIONS.filter((action) => !audit.actions[action])).toEqual([])
})
