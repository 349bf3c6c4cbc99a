import { describe, expect, it } from 'vitest'
import { isBucketName, readAddress, readCopySource } from './names.ts'
import { codeOf, refusalOf } from './refusal.fixture.ts'

const OWN = ['s3.example.com', 'localhost']
const path = (path: string) => readAddress(path, '127.0.0.1:9000', OWN)

describe('path style', () => {
  it.each([
    ['/', {}],
    ['/b', { bucket: 'b' }],
    ['/b/', { bucket: 'b' }],
    ['/b/a', { bucket: 'b', key: 'a' }],
    ['/b/a/', { bucket: 'b', key: 'a/' }],
    ['/b//', { bucket: 'b', key: '/' }],
    ['/b//a', { bucket: 'b', key: '/a' }],
    ['/b/./a/../../c', { bucket: 'b', key: './a/../../c' }],
    ['/b/a%2Fb%2F', { bucket: 'b', key: 'a/b/' }],
    ['/b/%2e%2E/a', { bucket: 'b', key: '../a' }],
    ['/b/a+b%20c%2B', { bucket: 'b', key: 'a+b c+' }],
    ['/%E7%85%A7%E7%89%87/%E6%96%87', { bucket: '照片', key: '文' }],
    ['/b/%EF%BB%BFa', { bucket: 'b', key: '\ufeffa' }],
    ['/b/a%3Fb%23', { bucket: 'b', key: 'a?b#' }],
  ])('%s', (sent, address) => {
    expect(path(sent)).toEqual(address)
  })
})

describe('virtual-host style', () => {
  it.each([
    ['b.s3.example.com', '/', { bucket: 'b' }],
    ['b.s3.example.com:443', '/a/b', { bucket: 'b', key: 'a/b' }],
    ['B.S3.Example.com.', '//a', { bucket: 'b', key: '/a' }],
    ['a.b.localhost:9000', '/a', { bucket: 'a.b', key: 'a' }],
  ])('%s %s', (host, sent, address) => {
    expect(readAddress(sent, host, OWN)).toEqual(address)
  })

  it('is not what the own name or another host means', () => {
    for (const host of [
      's3.example.com',
      'LOCALHOST:1',
      '[::1]:9000',
      'others3.example.com',
      'b.s3.example.com.evil.net',
    ])
      expect(readAddress('/b/a', host, OWN)).toEqual({ bucket: 'b', key: 'a' })
  })

  it('prefers a name of its own to a bucket', () => {
    expect(readAddress('/b/a', 's3.example.com', ['example.com', 's3.example.com'])).toEqual({ bucket: 'b', key: 'a' })
  })
})

describe('the source of a copy', () => {
  it.each([
    ['/b/a', { bucket: 'b', key: 'a' }],
    ['b/a/%E6%96%87%20+', { bucket: 'b', key: 'a/文 +' }],
    ['b//a?versionId=x%2F1', { bucket: 'b', key: '/a', versionId: 'x/1' }],
    ['b/a%3FversionId=1', { bucket: 'b', key: 'a?versionId=1' }],
  ])('%s', (header, source) => {
    expect(readCopySource(header)).toEqual(source)
  })

  it('needs a bucket and a key', () => {
    for (const header of ['', '/', 'b', 'b/', '/b/', '//a', 'b/a?x=1', 'b/a?versionId=1&x=2'])
      expect(codeOf(() => readCopySource(header))).toBe('InvalidArgument')
    expect(codeOf(() => readCopySource('b/%ff'))).toBe('InvalidURI')
  })
})

describe('names', () => {
  it('of keys have at most 1,024 bytes', () => {
    const longest = `${'文'.repeat(341)}a`
    expect(path(`/b/${encodeURIComponent(longest)}`)).toEqual({ bucket: 'b', key: longest })
    expect(refusalOf(() => path(`/b/${encodeURIComponent(`${longest}b`)}`))).toMatchObject({
      code: 'KeyTooLongError',
      status: 400,
      details: { Size: '1025', MaxSizeAllowed: '1024' },
    })
  })

  it('of new buckets follow the rules of S3', () => {
    for (const name of ['abc', '1.2.3', 'a-b.c', '0'.repeat(63)]) expect(isBucketName(name)).toBe(true)
    for (const name of [
      'ab',
      '0'.repeat(64),
      'Abc',
      'a_b',
      '-ab',
      'ab-',
      '.ab',
      'a..b',
      '192.168.0.1',
      'xn--abc',
      'sthree-a',
      'a-s3alias',
      'a--ol-s3',
      '照片照片',
      'abc\n',
    ])
      expect(isBucketName(name)).toBe(false)
  })

  it('are refused if they are not UTF-8 or not percent-encoded correctly', () => {
    for (const sent of ['/b/%', '/b/%4', '/b/%zz', '/b/%ff', '/b/%c0%ae', '/b/%ed%a0%80', '/%ff/a', '/b/\xff'])
      expect(codeOf(() => path(sent))).toBe('InvalidURI')
  })

  it('are refused if a bucket has none, or has a slash', () => {
    for (const sent of ['//', '//a', '/%2F', '/a%2Fb/c']) expect(codeOf(() => path(sent))).toBe('InvalidBucketName')
    expect(codeOf(() => readAddress('/a', '.s3.example.com', OWN))).toBe('InvalidBucketName')
    expect(codeOf(() => readAddress('/a', 'a/b.s3.example.com', OWN))).toBe('InvalidBucketName')
  })
})
