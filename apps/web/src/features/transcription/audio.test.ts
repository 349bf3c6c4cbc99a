import { SPEECH_BYTES_MAX } from '@tidenet/contract/speech'
import { describe, expect, it } from 'vitest'
import { audioProblem } from './audio.ts'

const bytes = (...parts: (string | number)[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [part])),
  )

/** Silent frames of 1152 samples at 44.1 kHz; 0x90: 128 kbit/s, 0xe0: 320 kbit/s. */
function mp3(seconds: number, rate: 0x90 | 0xe0 = 0x90): Blob {
  const frame = new Uint8Array(rate === 0x90 ? 417 : 1044)
  frame.set([0xff, 0xfb, rate])
  return new Blob(Array.from({ length: Math.round((seconds * 44_100) / 1152) }, () => frame))
}
/** A silent WAV of 4000 bytes a second. */
function wav(seconds: number): Blob {
  const format = bytes(1, 0, 1, 0, 0xa0, 0x0f, 0, 0, 0xa0, 0x0f, 0, 0, 1, 0, 8, 0)
  const data = new Uint8Array(seconds * 4000)
  return new Blob([bytes('RIFF', 0, 0, 0, 0, 'WAVEfmt ', 16, 0, 0, 0), format, bytes('data', 0, 0, 0, 0), data])
}
const WAV = bytes('RIFF', 0, 0, 0, 0, 'WAVE')

/** A file that reports a size without allocating it. */
const sized = (head: Uint8Array<ArrayBuffer>, size: number): Blob =>
  Object.defineProperty(new Blob([head]), 'size', { value: size })

describe('a recording', () => {
  it.each([
    ['a WAV of ten minutes', wav(600), 600],
    ['an MP3', mp3(5), 5],
    ['an MP3 whose first seconds have a lower bit rate', new Blob([mp3(5), mp3(5, 0xe0)]), 10],
    ['an MP3 of ten minutes and the silence of an encoder', mp3(600.5), 600.5],
  ])('is accepted, with how long it really lasts: %s', async (_, file, seconds) => {
    const found = await audioProblem(file)
    expect('seconds' in found ? Math.abs(found.seconds - seconds) : found).toBeLessThan(0.1)
  })

  it.each([
    ['has nothing in it', new Blob([]), 'empty'],
    ['is a video', new Blob([bytes(0, 0, 0, 24, 'ftypmp42')]), 'type'],
    ['is an AVI, which begins like a WAV', new Blob([bytes('RIFF', 0, 0, 0, 0, 'AVI ')]), 'type'],
    ['is AAC, which begins like an MP3', new Blob([bytes(0xff, 0xf1, 0x50)]), 'type'],
    ['is MPEG layer II', new Blob([bytes(0xff, 0xfd, 0x90)]), 'type'],
    ['is a text with another name', new File(['hello hello hello'], 'speech.mp3'), 'type'],
    ['is a byte too large', sized(WAV, SPEECH_BYTES_MAX + 1), 'size'],
    ['has no sound', wav(0), 'unreadable'],
    ['is damaged', new Blob([WAV]), 'unreadable'],
    ['was deleted meanwhile', Object.defineProperty(new Blob([WAV]), 'slice', { value: undefined }), 'unreadable'],
    ['lasts a second too long', wav(601), 'duration'],
    ['is an MP3 that lasts a second too long', mp3(601.5), 'duration'],
  ])('is refused if it %s', async (_, file, problem) => expect(await audioProblem(file)).toEqual({ problem }))
})
