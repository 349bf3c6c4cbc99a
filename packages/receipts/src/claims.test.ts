import { describe, expect, it } from 'vitest'
import { receiptClaims } from './claims.ts'

const upload = {
  iss: 'tidenet-log-0123abcd',
  kind: 'upload',
  id: 5,
  index: 4,
  iat: 1_700_000_000,
  sub: 'owner',
  cid: 'bafkreib',
  type: 'file',
  size: 10,
}

describe('the claims of a receipt', () => {
  it('have the shape of their kind', () => {
    expect(receiptClaims.parse(upload)).toEqual(upload)
  })

  it.each([
    ['another kind', { kind: 'download' }],
    ['an unknown claim', { more: 1 }],
    ['a negative size', { size: -1 }],
    ['a size that is no integer', { size: 0.5 }],
    ['another log', { iss: 'log' }],
  ])('cannot have %s', (_, wrong) => {
    expect(receiptClaims.safeParse({ ...upload, ...wrong }).success).toBe(false)
  })
})
