import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts'

describe('a database is unavailable', () => {
  it.each([
    ['that refuses connections', { code: 'ECONNREFUSED' }],
    ['whose name is not known', { code: 'ENOTFOUND' }],
    ['that starts', { code: '57P03' }],
    ['that stops', { code: '57P01' }],
    ['that has no connection left', { code: '53300' }],
    ['that lost the connection', { code: '08006' }],
    ['whose driver says so without a code', new Error('Connection terminated unexpectedly')],
    ['for whose connections others wait', new Error('timeout exceeded when trying to connect')],
    ['that was found away before', new DatabaseUnavailable({ code: 'ECONNREFUSED' })],
  ])('%s', (_, error) => expect(isUnavailable(error)).toBe(true))

  it.each([
    ['a lost race', { code: '40001' }],
    ['a duplicate', { code: '23505' }],
    ['a statement that is wrong', { code: '42601' }],
    ['a password that is wrong', { code: '28P01' }],
    ['an error of ours', new Error('expected one row, got 0')],
    ['nothing', undefined],
  ])('not after %s', (_, error) => expect(isUnavailable(error)).toBe(false))
})
