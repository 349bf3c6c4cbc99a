import type { SpeechTask } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import { aheadOf, measuredSpeed } from './queue-repository.ts'
import type { TaskRow } from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>

/** Assumed until the first transcription was measured: as long as the recording. */
const SPEED = 1

/** Adds positions and estimates, from how long the engine took for recent recordings. */
export async function toWireTasks(context: Deps, rows: readonly TaskRow[]): Promise<SpeechTask[]> {
  const queued = rows.filter(({ state }) => state === 'processing' || state === 'transcribing')
  if (queued.length === 0) return rows.map((row) => toWire(row, 0, null))
  const [ahead, speed = SPEED] = await Promise.all([
    aheadOf(
      context.db,
      queued.map(({ no }) => no),
    ),
    measuredSpeed(context.db),
  ])
  const { parallel } = context.config.speech
  const at = now(context).getTime()
  return rows.map((row) => {
    const before = ahead.find(({ no }) => no === row.no)
    if (!before || row.seconds === null) return toWire(row, 0, null)
    const own = row.seconds * speed
    if (row.state === 'transcribing')
      return toWire(row, 0, Math.max(1, Math.ceil(own - (at - (row.started_at?.getTime() ?? at)) / 1000)))
    return toWire(row, before.waiting + 1, Math.max(1, Math.ceil(own + (before.seconds * speed) / parallel)))
  })
}

export async function toWireTask(context: Deps, row: TaskRow): Promise<SpeechTask> {
  const [task] = await toWireTasks(context, [row])
  return task as SpeechTask
}

const toWire = (row: TaskRow, position: number, estimate: number | null): SpeechTask => ({
  id: row.id,
  name: row.name,
  language: row.language,
  state: row.state,
  failure: row.failure,
  size: row.size,
  received: row.received,
  kind: row.kind,
  seconds: row.seconds,
  position,
  estimate: row.waiting_since ? null : estimate,
  waits_for_engine: row.waiting_since !== null,
  has_audio: row.has_audio,
  audio_until: row.audio_until?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})
