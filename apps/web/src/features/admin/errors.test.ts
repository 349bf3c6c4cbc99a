import { errors } from '@tidenet/contract'
import { AUDIT_ACTIONS } from '@tidenet/contract/audit-actions'
import { expect, it } from 'vitest'
import { NEEDS_SECOND_FACTOR } from './errors.ts'
import { texts as en } from './texts.en.ts'
import { texts as zh } from './texts.zh.ts'

it('uses the error code of the catalogue', () => {
  expect(NEEDS_SECOND_FACTOR).toBe(errors.operatorSecondFactor.err)
})

it('has texts for all audit-log actions in both languages', () => {
  for (const { audit } of [en, zh]) expect(AUDIT_ACTIONS.filter((action) => !audit.actions[action])).toEqual([])
})
