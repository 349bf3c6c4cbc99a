import type { SpeechSegment, SpeechTask } from '@tidenet/contract'
import { MicOff } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/states.tsx'
import { findMatches, type Match } from './find.ts'
import { FindBar } from './find-bar.tsx'
import { SaveLine } from './save-line.tsx'
import { SegmentRow } from './segment-row.tsx'
import { t } from './texts.ts'
import { segmentAt } from './time.ts'
import type { Edits } from './use-edits.ts'
import { reveal, useFollow } from './use-follow.ts'
import type { Player } from './use-player.ts'

const NONE: readonly (Match & { index: number })[] = []

/** The segments of a transcript, which follow the player. @param shown index of a segment to show at first */
export function TranscriptText({
  task,
  edits,
  player,
  shown,
}: {
  task: SpeechTask
  edits: Edits
  player: Player
  shown: number | undefined
}) {
  const { segments } = edits
  const box = useRef<HTMLOListElement>(null)
  const { wanted, setWanted, bySegment, count, current, step } = useFind(segments)
  const spoken = segmentAt(segments, player.time)
  const isHeard = player.playing || player.time > 0 || shown !== undefined
  useFollow(box, spoken, player.playing, count > 0 ? current : undefined)
  useEffect(() => {
    if (shown !== undefined) reveal(box.current, `[data-segment="${shown}"]`)
  }, [shown])
  // The rows are rendered again only if they change; the player's functions change with every second.
  const play = useRef(player.playFrom)
  play.current = player.playFrom
  const onPlay = useRef((seconds: number) => play.current(seconds)).current

  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <FindBar wanted={wanted} count={count} current={current} onWanted={setWanted} onStep={step} />
        <SaveLine edits={edits} />
      </div>
      {segments.length === 0 ? (
        <Empty icon={<MicOff aria-hidden className="size-5" />} title={t.view.none}>
          {t.view.noneText}
        </Empty>
      ) : (
        <ol
          ref={box}
          aria-label={t.view.segments}
          lang={task.language}
          className="relative max-h-[65dvh] overflow-y-auto overscroll-contain px-2 py-3 sm:px-3"
        >
          {segments.map((segment, index) => (
            <SegmentRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a segment has no other name, and its place never changes
              key={index}
              segment={segment}
              index={index}
              isCurrent={isHeard && index === spoken}
              canPlay={task.has_audio}
              matches={bySegment.get(index) ?? NONE}
              currentMatch={bySegment.has(index) ? current : undefined}
              onPlay={onPlay}
              onChange={edits.change}
            />
          ))}
        </ol>
      )}
    </Card>
  )
}

/** The places that contain a text, and which of them is shown. */
function useFind(segments: readonly SpeechSegment[]) {
  const [wanted, setText] = useState('')
  const [at, setAt] = useState(0)
  const matches = useMemo(
    () =>
      findMatches(
        segments.map(({ text }) => text),
        wanted,
      ),
    [segments, wanted],
  )
  const bySegment = useMemo(() => {
    const map = new Map<number, (Match & { index: number })[]>()
    for (const [index, match] of matches.entries())
      map.set(match.segment, [...(map.get(match.segment) ?? []), { ...match, index }])
    return map
  }, [matches])
  const count = matches.length
  return {
    wanted,
    bySegment,
    count,
    current: Math.min(at, Math.max(0, count - 1)),
    setWanted(text: string) {
      setText(text)
      setAt(0)
    },
    step: (by: 1 | -1) => setAt((before) => (Math.min(before, count - 1) + by + count) % count),
  }
}
