import type { SpeechSegment } from '@tidenet/contract'

/** A time code as shown: `0:05`, `10:00`, `1:02:03`. @param seconds rounded down, so that it never shows what has not begun */
export function timeCode(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** The segment that is spoken at a time, or the one before a silence; -1 before the first. Segments are in order of their start. */
export function segmentAt(segments: readonly Pick<SpeechSegment, 'start'>[], seconds: number): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}
