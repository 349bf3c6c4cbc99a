import { describe, expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

describe('ownPath', () => {
  it.each([
    ['/fileStorage', '/fileStorage'],
    ['/fileStorage?folder=3&q=a%20b', '/fileStorage?folder=3&q=a%20b'],
    ['/learndetail?slug=潮汐', '/learndetail?slug=%E6%BD%AE%E6%B1%90'],
    ['/myAccount#identities', '/myAccount'],
    ['/redirect?url=https://other.test', '/redirect?url=https://other.test'],
  ])('accepts %s', (text, path) => {
    expect(ownPath(text)).toBe(path)
  })

  it.each([
    undefined,
    '',
    'fileStorage',
    'https://other.test/',
    '//other.test',
    '///other.test',
    '/\\other.test',
    '\\\\other.test',
    '/\t/other.test',
    '/\n/other.test',
    '/x\\..\\..\\other.test',
    '/.//other.test',
    '/x/..//other.test',
    '/%2e//other.test',
    'javascript:alert(1)',
    '/\u0000',
    '/api/v1/user/logout',
    '/API/v1/user/logout',
    '/link?x=1',
    '/dev/mailbox',
    ' /fileStorage',
  ])('rejects %j', (text) => {
    expect(ownPath(text)).toBe('')
  })
})
