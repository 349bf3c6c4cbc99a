/** Spec 5 and 9, transcription: what may be sent. Sizes in bytes, durations in seconds. */
export const AUDIO_MAX = 50 * 1024 * 1024
export const AUDIO_SECONDS_MAX = 10 * 60

export type AudioKind = 'mp3' | 'wav'
export type AudioProblem = 'empty' | 'type' | 'size' | 'unreadable' | 'duration'

const HEAD = 12

/** What a file is by its first bytes; its name proves nothing. */
export function audioKind(head: Uint8Array): AudioKind | undefined {
  const text = (from: number, length: number) => String.fromCharCode(...head.slice(from, from + length))
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'wav'
  if (text(0, 3) === 'ID3') return 'mp3'
  // A frame begins with eleven ones; the two bits of its layer tell MP3 from the rest of its family and from AAC.
  const [first = 0, second = 0] = head
  return first === 0xff && (second & 0xe0) === 0xe0 && ((second >> 1) & 3) === 1 ? 'mp3' : undefined
}

/** What is wrong with a file, cheapest questions first. @param duration asked only when all else is right; undefined when it cannot be told */
export async function audioProblem(
  file: Blob,
  duration: (file: Blob) => Promise<number | undefined>,
): Promise<{ problem: AudioProblem } | { kind: AudioKind; seconds: number }> {
  if (file.size === 0) return { problem: 'empty' }
  const kind = audioKind(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()))
  if (!kind) return { problem: 'type' }
  if (file.size > AUDIO_MAX) return { problem: 'size' }
  const seconds = await duration(file)
  if (seconds === undefined || seconds <= 0) return { problem: 'unreadable' }
  // Encoders add a fraction of a second of silence: ten minutes are ten minutes.
  return Math.floor(seconds) > AUDIO_SECONDS_MAX ? { problem: 'duration' } : { kind, seconds }
}

const GIVE_UP_MS = 15_000

/** How long a file plays, by the browser's own decoder; undefined when it cannot play it. */
export function playingTime(file: Blob): Promise<number | undefined> {
  const url = URL.createObjectURL(file)
  const audio = new Audio()
  audio.preload = 'metadata'
  return new Promise<number | undefined>((resolve) => {
    const known = () => {
      if (Number.isFinite(audio.duration)) resolve(audio.duration)
      // A file whose head does not say it is read to its end.
      else audio.currentTime = Number.MAX_SAFE_INTEGER
    }
    audio.addEventListener('loadedmetadata', known)
    audio.addEventListener('durationchange', () => Number.isFinite(audio.duration) && resolve(audio.duration))
    audio.addEventListener('error', () => resolve(undefined))
    setTimeout(() => resolve(undefined), GIVE_UP_MS)
    audio.src = url
  }).finally(() => {
    audio.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
