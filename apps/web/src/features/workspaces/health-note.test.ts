import { expect, it } from 'vitest'
import { healthNote } from './health-note.ts'
import { t } from './texts.ts'

it('says what a check found in the language of the reader', () => {
  expect(healthNote('HTTP status 503')).toBe(t.supervise.problems.status('503'))
  expect(healthNote('no answer within 5 s')).toBe(t.supervise.problems.late('5'))
  expect(healthNote('ECONNREFUSED')).toBe(t.supervise.problems.refused)
})

it('repeats what it does not know', () => {
  expect(healthNote('Parse Error: Expected HTTP/')).toBe('Parse Error: Expected HTTP/')
})
