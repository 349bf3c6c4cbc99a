import { audioKind, changesBitRate, readAudio } from '@tidenet/contract/speech-audio'
import { describe, expect, it } from 'vitest'
import { mp3, wav } from './speech.fixture.ts'

async function* split(file: Buffer, part: number) {
  for (let start = 0; start < file.length; start += part) yield file.subarray(start, start + part)
}
const read = (file: Buffer, part = 1 << 20) => readAudio(split(file, part))

/** An ID3 tag, such as one with a picture. */
function tag(length: number): Buffer {
  const bytes = Buffer.alloc(10 + length, 0xff)
  bytes.set([0x49, 0x44, 0x33, 4, 0, 0, (length >> 21) & 127, (length >> 14) & 127, (length >> 7) & 127, length & 127])
  return bytes
}
/** A WAV that was written to a pipe: its length is unknown. */
function piped(seconds: number, length: number): Buffer {
  const bytes = wav(seconds)
  bytes.writeUInt32LE(length, 40)
  return bytes
}

describe('a recording', () => {
  it.each([1, 7, 417, 5000])('is the same in parts of %i bytes', async (part) => {
    // Parts are at least as long as the first bytes that tell the kind.
    const size = Math.max(part, 12)
    expect(await read(wav(2.5), size)).toEqual({ kind: 'wav', seconds: 2.5 })
    const whole = await read(Buffer.concat([tag(3000), mp3(4)]))
    expect(await read(Buffer.concat([tag(3000), mp3(4)]), size)).toEqual(whole)
  })

  it.each([
    ['an MP3', mp3(10), 10],
    ['an MP3 with a picture', Buffer.concat([tag(200_000), mp3(10)]), 10],
    ['an MP3 with a tag at its end', Buffer.concat([mp3(10), Buffer.from(`TAG${'x'.repeat(125)}`)]), 10],
    ['an MP3 that is cut off within a frame', mp3(10).subarray(0, -200), 10],
    ['an MP3 whose bit rate changes', Buffer.concat([mp3(5), mp3(5, 0xe0)]), 10],
    ['a WAV that ends early', wav(10).subarray(0, 44 + 5 * 4000), 5],
    ['a WAV of unknown length', piped(10, 0xffffffff), 10],
    ['a WAV that claims no length', piped(10, 0), 10],
  ])('lasts as long as it plays: %s', async (_, file, seconds) => {
    const found = await read(file)
    expect('seconds' in found ? Math.abs(found.seconds - seconds) : found).toBeLessThan(0.1)
  })

  it('is known to change its bit rate or not', async () => {
    expect(await changesBitRate(split(mp3(5), 5000))).toBe(false)
    expect(await changesBitRate(split(Buffer.concat([mp3(5), mp3(5, 0xe0)]), 5000))).toBe(true)
  })

  it('may last ten minutes, and the silence that encoders add', async () => {
    expect(await read(wav(600.9))).toMatchObject({ kind: 'wav' })
  })
})

describe('refused', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), 'speechType'],
    ['AAC, which begins like an MP3', Buffer.from([0xff, 0xf1, 0x50, 0x80]), 'speechType'],
    ['MPEG layer II', Buffer.from([0xff, 0xfd, 0x90, 0]), 'speechType'],
    ['an AVI, which begins like a WAV', Buffer.from('RIFF\0\0\0\0AVI LIST'), 'speechType'],
    ['a tag without a recording', tag(100), 'speechUnreadable'],
    ['a WAV without a format', Buffer.from('RIFF\0\0\0\0WAVEdata\x04\0\0\0abcd'), 'speechUnreadable'],
    [
      'two megabytes of noise after a header',
      Buffer.concat([mp3(0.05), Buffer.alloc(2_000_000, 0xff)]),
      'speechUnreadable',
    ],
    ['a second more than ten minutes', wav(601), 'speechDuration'],
  ])('%s', async (_, file, problem) => {
    expect(await read(file)).toEqual({ problem })
  })

  it.each([
    ['PCM', 1, { kind: 'wav', seconds: 5 }],
    ['an MP3, which would last longer than it seems', 0x55, { problem: 'speechUnreadable' }],
  ])('a WAV of the extensible format with %s', async (_, format, expected) => {
    const pcm = wav(5)
    const fields = Buffer.alloc(24)
    fields.writeUInt16LE(22, 0)
    fields.writeUInt16LE(format, 8)
    const bytes = Buffer.concat([pcm.subarray(0, 36), fields, pcm.subarray(36)])
    bytes.writeUInt32LE(40, 16)
    bytes.writeUInt16LE(0xfffe, 20)
    expect(await read(bytes)).toEqual(expected)
  })

  it('ten minutes and a second behind a second format, which decoders ignore', async () => {
    const faster = wav(0, 40_000).subarray(12, 36)
    expect(await read(Buffer.concat([wav(601), faster]))).toEqual({ problem: 'speechDuration' })
  })

  it('a WAV with a compressed format, whose duration its header only claims', async () => {
    const bytes = wav(5)
    bytes.writeUInt16LE(0x11, 20)
    expect(await read(bytes)).toEqual({ problem: 'speechUnreadable' })
    expect(audioKind(bytes)).toBe('wav')
  })
})
