import { describe, expect, it } from 'vitest'
import { readSought } from './find.ts'

const HASH = 'AB'.repeat(32)
const ADDRESS = 'tide1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'

describe('what is looked for on the chain', () => {
  it.each([
    [HASH, { kind: 'transaction', hash: HASH }],
    [` 0x${HASH.toLowerCase()} `, { kind: 'transaction', hash: HASH }],
    ['12', { kind: 'block', height: '12' }],
    ['#1,234', { kind: 'block', height: '1234' }],
    [ADDRESS.toUpperCase(), { kind: 'address', address: ADDRESS }],
  ])('%s is found', (text, sought) => expect(readSought(text, 'tide')).toEqual(sought))

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
  ])('“%s” names nothing', (text) => expect(readSought(text, 'tide')).toBeUndefined())
})
