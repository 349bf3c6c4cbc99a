import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse-query.ts'

const HASH = 'AB'.repeat(32)
const ADDRESS = 'tide1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'

describe('a search on the chain', () => {
  it.each([
    [HASH, { kind: 'transaction', hash: HASH }],
    [` 0x${HASH.toLowerCase()} `, { kind: 'transaction', hash: HASH }],
    ['12', { kind: 'block', height: '12' }],
    ['#1,234', { kind: 'block', height: '1234' }],
    [ADDRESS.toUpperCase(), { kind: 'address', address: ADDRESS }],
  ])('recognises %s', (text, query) => expect(parseQuery(text, 'tide')).toEqual(query))

  it.each([
    '',
    '0',
    '-3',
    '1.5',
    HASH.slice(1),
    ADDRESS.replace('tide1', 'cosmos1'),
    'tide1',
    '../admin',
    'x'.repeat(500),
  ])('ignores “%s”', (text) => expect(parseQuery(text, 'tide')).toBeUndefined())
})
