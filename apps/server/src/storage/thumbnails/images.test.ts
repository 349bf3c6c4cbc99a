import { isThumbnail } from '@tidenet/contract/thumbnail-images'
import { describe, expect, it } from 'vitest'
import { sampleAge, sampleJpeg, sampleWebp } from './sample-images.fixture.ts'

describe('a thumbnail', () => {
  it.each([
    ['lossy WebP', sampleWebp('VP8 ', 320, 213)],
    ['lossless WebP', sampleWebp('VP8L', 320, 213)],
    ['WebP with transparency', sampleWebp('VP8X', 320, 213)],
    ['JPEG', sampleJpeg(320, 213)],
  ])('is a small image: %s', (_, bytes) => {
    expect(isThumbnail(bytes, false)).toBe(true)
    expect(isThumbnail(bytes, true)).toBe(false)
  })

  it('of an encrypted file is an age file for one key', () => {
    expect(isThumbnail(sampleAge(), true)).toBe(true)
    expect(isThumbnail(sampleAge(), false)).toBe(false)
    expect(isThumbnail(sampleAge('scrypt'), true)).toBe(false)
    expect(isThumbnail(Buffer.from('age-encryption.org/v1\n'), true)).toBe(false)
  })
})

describe('refused', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['too many bytes', Buffer.concat([sampleJpeg(320, 213), Buffer.alloc(25_000)])],
    ['pixels that would fill the memory of whoever opens the folder (lossy)', sampleWebp('VP8 ', 16_383, 16_383)],
    ['the same (lossless)', sampleWebp('VP8L', 16_384, 16_384)],
    ['the same (extended)', sampleWebp('VP8X', 1 << 24, 200)],
    ['the same (JPEG)', sampleJpeg(65_535, 65_535)],
    ['no pixels', sampleJpeg(0, 10)],
    ['an animation', sampleWebp('VP8X', 320, 213, 0x02)],
    ['a WebP file that says another length', Buffer.concat([sampleWebp('VP8 ', 320, 213), Buffer.from('x')])],
    ['a JPEG file without a frame', Buffer.from('ffd8ffda0008010100003f00ffd9', 'hex')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', Buffer.from('GIF89a')],
  ])('%s', (_, bytes) => {
    expect(isThumbnail(bytes, false)).toBe(false)
  })

  it.each([
    ['a fill byte and a marker without a length', 'ffff01'],
    ['a frame that browsers do not decode', 'ffc9'],
  ])('JPEG files that hide their frame from this check: %s', (_, hidden) => {
    const before = Buffer.concat([Buffer.from(`ffd8${hidden}`, 'hex'), Buffer.alloc(600)])
    // Read as a segment of 511 bytes, the hiding bytes end at a small frame.
    before.writeUInt16BE(0x01ff, 4)
    const image = Buffer.concat([before.subarray(0, 2 + 2 + 0x01ff), sampleJpeg(320, 213).subarray(20)])
    expect(isThumbnail(image, false)).toBe(false)
  })

  it('images that end anywhere in their header', () => {
    for (const whole of [sampleWebp('VP8 ', 320, 213), sampleJpeg(320, 213)])
      for (let length = 0; length < 25; length++) expect(isThumbnail(whole.subarray(0, length), false)).toBe(false)
  })
})
