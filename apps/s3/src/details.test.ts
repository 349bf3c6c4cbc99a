import { describe, expect, it } from 'vitest'
import { detailsOf, headersOf } from './details.ts'

const of = (headers: Record<string, string>, metadata: Record<string, string> = {}) => headersOf({ headers, metadata })

describe('the headers of an object', () => {
  it('come back as the bytes that a client sent', () => {
    // HTTP gives bytes as latin1.
    const bytes = Buffer.from('海滩').toString('latin1')
    const sent = new Map([
      ['content-type', ['text/x-tide']],
      ['content-encoding', ['aws-chunked,gzip']],
      ['content-disposition', [bytes]],
      ['x-amz-meta-place', [bytes]],
    ])
    const kept = detailsOf({ headers: sent })
    expect(kept.metadata).toEqual({ place: '海滩' })
    expect(headersOf(kept)).toEqual({
      'content-type': 'text/x-tide',
      'content-encoding': 'gzip',
      'content-disposition': bytes,
      'x-amz-meta-place': bytes,
    })
  })

  it('are never others than those that are kept, whatever the portal says', () => {
    const headers = {
      'set-cookie': 'a',
      'transfer-encoding': 'chunked',
      'content-length': '1',
      location: '/',
      etag: 'x',
    }
    expect(of(headers)).toEqual({ 'content-type': 'binary/octet-stream' })
  })

  it.each(['a\r\nset-cookie: b', 'a\nb', 'a\rb', 'a\0b', '海滩'])(
    'never have a value that HTTP cannot carry: %j',
    (value) => {
      expect(of({ 'content-type': value, 'cache-control': value })).toEqual({ 'content-type': 'binary/octet-stream' })
    },
  )

  it('never have metadata that ends early, or whose name does', () => {
    expect(of({}, { a: 'b\r\n\r\n<html>', 'c: d\r\nset-cookie': 'e', '': 'f', g: 'h' })).toEqual({
      'content-type': 'binary/octet-stream',
      'x-amz-meta-g': 'h',
    })
  })
})
