import type { SpeechTask } from '@tidenet/contract'

const FIRST_MS = 1000
const MAX_MS = 10_000
const GROWTH = 1.4

type Progress = Pick<SpeechTask, 'state' | 'position' | 'waits_for_engine'>

const isSame = (one: Progress, other: Progress): boolean =>
  one.state === other.state && one.position === other.position && one.waits_for_engine === other.waits_for_engine

/** How long to wait before the next question about a task, in ms: longer and longer, and short again after it has moved on. */
export function nextInterval(before: Progress | undefined, now: Progress, interval: number): number {
  if (!before || !isSame(before, now)) return FIRST_MS
  return Math.min(MAX_MS, Math.round(interval * GROWTH))
}
