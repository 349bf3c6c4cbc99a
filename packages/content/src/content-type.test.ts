import { describe, expect, it } from 'vitest'
import { contentType, disposition } from './content-type.ts'

describe('the type of a file', () => {
  it.each([
    ['movie.MP4', 'video/mp4'],
    ['a.tar.gz', 'application/gzip'],
    ['notes.txt', 'text/plain; charset=utf-8'],
    ['README', 'application/octet-stream'],
    ['x.constructor', 'application/octet-stream'],
  ])('%s is %s', (name, type) => expect(contentType(name)).toBe(type))
})

describe('Content-Disposition', () => {
  it.each([
    ['photo.png', 'inline; filename="photo.png"'],
    ['照片.png', `inline; filename="__.png"; filename*=UTF-8''%E7%85%A7%E7%89%87.png`],
    ["it's (1).txt", `inline; filename="it's (1).txt"`],
  ])('names %s', (name, header) => expect(disposition('inline', name)).toBe(header))

  it.each(['a"\r\nSet-Cookie: x=1', '../../etc/passwd', '\ud800', 'a\\b'])('escapes %j', (name) =>
    expect(disposition('attachment', name)).toMatch(
      /^attachment; filename="[^"\\/\r\n]*"(; filename\*=UTF-8''[\w.%!~-]*)?$/,
    ),
  )
})
