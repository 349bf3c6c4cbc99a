import type { SpeechSegment } from '@tidenet/contract'

/** The segments with these texts; null restores the original. */
export const withChanges = (
  segments: readonly SpeechSegment[],
  changes: ReadonlyMap<number, string | null>,
): readonly SpeechSegment[] =>
  changes.size === 0
    ? segments
    : segments.map((segment, index) => {
        const text = changes.get(index)
        if (text === undefined) return segment
        const original = segment.original ?? segment.text
        return text === null || text === original
          ? { ...segment, text: original, original: null }
          : { ...segment, text, original }
      })
