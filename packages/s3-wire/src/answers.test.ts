import { describe, expect, it } from 'vitest'
import {
  isNotModified,
  isRangeCurrent,
  readConditions,
  requireCopyConditions,
  requireWriteConditions,
} from './conditions.ts'
import { continuationTokenOf, readInteger, readListParameters, readPartNumber } from './list-parameters.ts'
import { contentRange, readCopyRange, readRange } from './ranges.ts'
import { codeOf, refusalOf } from './refusal.fixture.ts'
import { readHeaders, readTarget } from './request.ts'

describe('a part number', () => {
  const read = (value: string) => readPartNumber(readTarget(`/b/k?partNumber=${value}`))

  it('is between 1 and 10,000', () => expect(['1', '10000'].map(read)).toEqual([1, 10_000]))

  it('is refused with the same range, whatever is wrong with it', () => {
    const messages = ['', '0', '-1', 'abc', '1.5', '10001', '4294967296', '99999999999'].map((value) => {
      const { code, message } = refusalOf(() => read(value))
      expect(code).toBe('InvalidArgument')
      return message
    })
    expect(new Set(messages)).toHaveLength(1)
    expect(messages[0]).toContain('between 1 and 10000')
  })
})

describe('a range', () => {
  it.each([
    ['bytes=0-4', 0, 4],
    ['bytes=5-', 5, 9],
    ['bytes=5-100', 5, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-100', 0, 9],
    ['Bytes = 9 - 9', 9, 9],
  ])('%s', (header, start, end) => {
    expect(readRange(header, 10)).toEqual({ start, end })
  })

  it('is the whole object if there are several, or nobody understands it', () => {
    const headers = [
      undefined,
      '',
      'bytes=0-1,3-4',
      'bytes=4-3',
      'bytes=-',
      'bytes=a-b',
      'items=0-1',
      'bytes=+1-2',
      `bytes=0-${'9'.repeat(400)}`,
    ]
    for (const header of headers) expect(readRange(header, 10)).toBeUndefined()
  })

  it('has a header in the answer', () => {
    expect(contentRange({ start: 0, end: 4 }, 10)).toBe('bytes 0-4/10')
    expect(contentRange(undefined, 10)).toBe('bytes */10')
  })

  it('is refused beyond the object', () => {
    for (const header of ['bytes=10-', 'bytes=10-20', 'bytes=-0'])
      expect(refusalOf(() => readRange(header, 10))).toMatchObject({
        code: 'InvalidRange',
        status: 416,
        details: { ActualObjectSize: '10' },
      })
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
      expect(codeOf(() => readRange(header, 0))).toBe('InvalidRange')
  })

  it('of the source of a copy is exact', () => {
    expect(readCopyRange('bytes=0-9', 10)).toEqual({ start: 0, end: 9 })
    for (const header of ['bytes=0-', 'bytes=-1', 'bytes=5-4', '0-9', 'bytes=0-1,2-3'])
      expect(codeOf(() => readCopyRange(header, 10))).toBe('InvalidArgument')
    expect(codeOf(() => readCopyRange('bytes=0-10', 10))).toBe('InvalidRange')
  })
})

describe('conditions', () => {
  const OBJECT = { etag: 'abc', lastModified: Date.parse('2026-11-28T12:00:00.500Z') }
  const SAME = 'Sat, 28 Nov 2026 12:00:00 GMT'
  const BEFORE = 'Sat, 28 Nov 2026 11:59:59 GMT'
  const of = (headers: Record<string, string>) => readHeaders(Object.entries(headers).flat())
  const get = (headers: Record<string, string>) => isNotModified(readConditions(of(headers)), OBJECT)
  const put = (headers: Record<string, string>, object: typeof OBJECT | undefined) =>
    requireWriteConditions(readConditions(of(headers)), object)
  const copy = (headers: Record<string, string>) =>
    requireCopyConditions(readConditions(of(headers), 'x-amz-copy-source-'), OBJECT)

  it.each<[Record<string, string>, 200 | 304 | 412]>([
    [{}, 200],
    [{ 'if-match': '"abc"' }, 200],
    [{ 'if-match': '"x", abc' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': 'W/"abc"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ 'if-modified-since': SAME }, 304],
    [{ 'if-unmodified-since': SAME }, 200],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-match': '"abc"', 'if-unmodified-since': BEFORE }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': SAME }, 200],
    [{ 'if-none-match': '"abc"', 'if-modified-since': BEFORE }, 304],
    [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 304],
    [{ 'if-match': '"x"', 'if-none-match': '"x"' }, 412],
    [{ 'if-modified-since': 'yesterday', 'if-unmodified-since': '1' }, 200],
  ])('of a read: %j gives %i', (headers, status) => {
    if (status === 412) expect(codeOf(() => get(headers))).toBe('PreconditionFailed')
    else expect(get(headers)).toBe(status === 304)
  })

  it('of a copy fail where a read would say that nothing changed', () => {
    copy({ 'x-amz-copy-source-if-match': 'abc', 'if-match': 'x' })
    copy({ 'x-amz-copy-source-if-none-match': '"x"', 'x-amz-copy-source-if-modified-since': SAME })
    const failing: [string, string][] = [
      ['match', '"x"'],
      ['none-match', '"abc"'],
      ['modified-since', SAME],
      ['unmodified-since', BEFORE],
    ]
    for (const [name, value] of failing)
      expect(codeOf(() => copy({ [`x-amz-copy-source-if-${name}`]: value }))).toBe('PreconditionFailed')
  })

  it('of a write', () => {
    put({ 'if-none-match': '*' }, undefined)
    put({ 'if-match': '"abc"' }, OBJECT)
    put({ 'if-unmodified-since': BEFORE }, OBJECT)
    expect(codeOf(() => put({ 'if-none-match': '*' }, OBJECT))).toBe('PreconditionFailed')
    expect(codeOf(() => put({ 'if-none-match': '"abc"' }, OBJECT))).toBe('PreconditionFailed')
    expect(codeOf(() => put({ 'if-match': '"x"' }, OBJECT))).toBe('PreconditionFailed')
    expect(codeOf(() => put({ 'if-match': '*' }, undefined))).toBe('NoSuchKey')
  })

  it('of a range', () => {
    const isCurrent = (value: string) => isRangeCurrent(of({ 'if-range': value }), OBJECT)
    expect(isRangeCurrent(of({}), OBJECT)).toBe(true)
    for (const value of ['"abc"', SAME]) expect(isCurrent(value)).toBe(true)
    for (const value of ['"x"', 'W/"abc"', BEFORE, 'Sat, 28 Nov 2026 12:00:01 GMT', 'abc'])
      expect(isCurrent(value)).toBe(false)
  })
})

describe('parameters of a list', () => {
  const read = (query: string) => readListParameters(readTarget(`/b?${query}`))
  const DEFAULTS = { prefix: '', delimiter: '', isUrlEncoded: false, max: 1000 }

  it('of the first version', () => {
    expect(read('')).toEqual({ ...DEFAULTS, version: 1, after: '', marker: '', withOwner: true })
    expect(read('marker=a%2F&max-keys=0&encoding-type=url&prefix=+x&delimiter=%2F')).toMatchObject({
      after: 'a/',
      marker: 'a/',
      max: 0,
      isUrlEncoded: true,
      prefix: ' x',
      delimiter: '/',
    })
  })

  it('of the second version go on at a token, wherever they started', () => {
    const token = continuationTokenOf('文/+')
    expect(read(`list-type=2&start-after=z&continuation-token=${token}`)).toEqual({
      ...DEFAULTS,
      version: 2,
      after: '文/+',
      marker: '',
      startAfter: 'z',
      continuationToken: token,
      withOwner: false,
    })
  })

  it('have at most 1,000 keys', () => {
    expect(read('max-keys=100000').max).toBe(1000)
    expect(readInteger(readTarget('/b?part-number-marker=7'), 'part-number-marker', 0, 10_000)).toBe(7)
  })

  it('are refused if they cannot be understood', () => {
    for (const query of [
      'max-keys=-1',
      'max-keys=1e3',
      'max-keys=9999999999',
      'encoding-type=xml',
      'list-type=3',
      'list-type=',
    ])
      expect(codeOf(() => read(query))).toBe('InvalidArgument')
    for (const token of ['', '=', '!', 'YQ==', '_w'])
      expect(codeOf(() => read(`list-type=2&continuation-token=${token}`))).toBe('InvalidArgument')
  })
})
