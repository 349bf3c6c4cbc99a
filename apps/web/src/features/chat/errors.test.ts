import { errors } from '@tidenet/contract'
import { expect, it } from 'vitest'
import { VISITOR_INVALID } from './errors.ts'

it('uses the error code of the catalogue', () => {
  expect(VISITOR_INVALID).toBe(errors.chatVisitor.err)
})
