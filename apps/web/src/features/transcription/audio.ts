import { SPEECH_BYTES_MAX, SPEECH_SECONDS_MAX, type SpeechKind } from '@tidenet/contract/speech'

export type AudioProblem = 'empty' | 'type' | 'size' | 'unreadable' | 'duration'

const HEAD_BYTES = 12

/** Detects the type by the first bytes, not by the name. */
export function audioKind(head: Uint8Array): SpeechKind | undefined {
  const text = (from: number, length: number) => String.fromCharCode(...head.slice(from, from + length))
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'wav'
  if (text(0, 3) === 'ID3') return 'mp3'
  // An MPEG frame starts with eleven one bits; its two layer bits distinguish MP3 from other layers and from AAC.
  const [first = 0, second = 0] = head
  return first === 0xff && (second & 0xe0) === 0xe0 && ((second >> 1) & 3) === 1 ? 'mp3' : undefined
}

/** Validates a file, cheapest checks first. @param duration called last; returns undefined if unknown */
export async function audioProblem(
  file: Blob,
  duration: (file: Blob) => Promise<number | undefined>,
): Promise<{ problem: AudioProblem } | { kind: SpeechKind; seconds: number }> {
  if (file.size === 0) return { problem: 'empty' }
  const kind = audioKind(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  if (!kind) return { problem: 'type' }
  if (file.size > SPEECH_BYTES_MAX) return { problem: 'size' }
  const seconds = await duration(file)
  if (seconds === undefined || seconds <= 0) return { problem: 'unreadable' }
  // Round down: encoders add a fraction of a second of silence.
  return Math.floor(seconds) > SPEECH_SECONDS_MAX ? { problem: 'duration' } : { kind, seconds }
}

const TIMEOUT_MS = 15_000

/** Duration in seconds, measured by the browser; undefined if it cannot play the file. */
export function playingTime(file: Blob): Promise<number | undefined> {
  const url = URL.createObjectURL(file)
  const audio = new Audio()
  audio.preload = 'metadata'
  return new Promise<number | undefined>((resolve) => {
    const onMetadata = () => {
      if (Number.isFinite(audio.duration)) resolve(audio.duration)
      // Seek to the end if the header does not state the duration.
      else audio.currentTime = Number.MAX_SAFE_INTEGER
    }
    audio.addEventListener('loadedmetadata', onMetadata)
    audio.addEventListener('durationchange', () => Number.isFinite(audio.duration) && resolve(audio.duration))
    audio.addEventListener('error', () => resolve(undefined))
    setTimeout(() => resolve(undefined), TIMEOUT_MS)
    audio.src = url
  }).finally(() => {
    audio.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
