import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts'

describe('isUnavailable', () => {
  it.each([
    ['a refused connection', { code: 'ECONNREFUSED' }],
    ['an unknown host name', { code: 'ENOTFOUND' }],
    ['startup', { code: '57P03' }],
    ['shutdown', { code: '57P01' }],
    ['too many connections', { code: '53300' }],
    ['a lost connection', { code: '08006' }],
    ['a driver error without a code', new Error('Connection terminated unexpectedly')],
    ['a timeout in the connection queue', new Error('timeout exceeded when trying to connect')],
    ['a DatabaseUnavailable error', new DatabaseUnavailable({ code: 'ECONNREFUSED' })],
  ])('is true for %s', (_, error) => expect(isUnavailable(error)).toBe(true))

  it.each([
    ['a serialization failure', { code: '40001' }],
    ['a unique violation', { code: '23505' }],
    ['a syntax error', { code: '42601' }],
    ['a wrong password', { code: '28P01' }],
    ['an error of our own', new Error('expected one row, got 0')],
    ['undefined', undefined],
  ])('is false for %s', (_, error) => expect(isUnavailable(error)).toBe(false))
})
