import { SPEECH_BYTES_MAX } from '@tidenet/contract/speech'
import { describe, expect, it, vi } from 'vitest'
import { audioKind, audioProblem } from './audio.ts'

const bytes = (...parts: (string | number)[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [part])),
  )

const WAV = bytes('RIFF', 0, 0, 0, 0, 'WAVE')
const MP3 = bytes('ID3', 4, 0)
const lasting = (seconds: number | undefined) => async () => seconds

/** A file that reports a size without allocating it. */
function sized(head: Uint8Array<ArrayBuffer>, size: number): Blob {
  const file = new Blob([head])
  return Object.defineProperty(file, 'size', { value: size })
}

describe('audio file', () => {
  it.each([
    ['a WAV', WAV, 'wav'],
    ['an MP3 with tags', MP3, 'mp3'],
    ['an MP3 without', bytes(0xff, 0xfb, 0x90), 'mp3'],
    ['an MP3 of low rate', bytes(0xff, 0xf3, 0x40), 'mp3'],
  ])('detects %s by its first bytes', (_, head, kind) => expect(audioKind(head)).toBe(kind))

  it.each([
    ['of just the largest size', sized(WAV, SPEECH_BYTES_MAX), 5],
    ['of ten minutes', new Blob([WAV]), 600],
    ['of ten minutes and the silence of an encoder', new Blob([MP3]), 600.05],
  ])('accepts a file %s', async (_, file, seconds) =>
    expect(await audioProblem(file, lasting(seconds))).toMatchObject({ seconds }),
  )

  it.each([
    ['has nothing in it', new Blob([]), 5, 'empty'],
    ['is a video', new Blob([bytes(0, 0, 0, 24, 'ftypmp42')]), 5, 'type'],
    ['is an AVI, which begins like a WAV', new Blob([bytes('RIFF', 0, 0, 0, 0, 'AVI ')]), 5, 'type'],
    ['is AAC, which begins like an MP3', new Blob([bytes(0xff, 0xf1, 0x50)]), 5, 'type'],
    ['is MPEG layer II', new Blob([bytes(0xff, 0xfd, 0x90)]), 5, 'type'],
    ['is a text with another name', new File(['hello hello hello'], 'speech.mp3'), 5, 'type'],
    ['is a byte too large', sized(WAV, SPEECH_BYTES_MAX + 1), 5, 'size'],
    ['cannot be played', new Blob([WAV]), undefined, 'unreadable'],
    ['lasts no time', new Blob([WAV]), 0, 'unreadable'],
    ['lasts a second too long', new Blob([WAV]), 601, 'duration'],
  ])('rejects a file that %s', async (_, file, seconds, problem) =>
    expect(await audioProblem(file, lasting(seconds))).toEqual({ problem }),
  )

  it('does not decode a file that is rejected for other reasons', async () => {
    const duration = vi.fn(lasting(5))
    for (const file of [new Blob([]), new Blob(['text']), sized(WAV, SPEECH_BYTES_MAX + 1)])
      await audioProblem(file, duration)
    expect(duration).not.toHaveBeenCalled()
  })
})
