import { setTimeout as sleep } from 'node:timers/promises'
import { SPEECH_ATTEMPTS, SPEECH_AUDIO_KEPT, SPEECH_ENGINE_WAIT, type SpeechFailure } from '@tidenet/contract'
import { type Context, type Db, now } from '../context.ts'
import { EngineError, transcribe } from './engine.ts'
import { engineOf } from './engine-of.ts'
import {
  claimNext,
  completeTask,
  engineAnswered,
  type Leased,
  lockLeased,
  postponeAll,
  releaseTask,
  renewLease,
  type Segment,
} from './queue-repository.ts'
import { endTask, partsOf } from './repository.ts'
import { toTraditional } from './traditional.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'log'>

const LEASE_MS = 30_000
/** Time until a cancelled task stops the engine. */
const RENEW_MS = { usual: 2000, quick: 100 }
const RETRY_MS = 10_000
/** How long the engine may take: `base`, and more for each second of the recording. */
const TIMEOUT_MS = { base: 120_000, perSecond: 5000 }
/** How often an idle worker looks for tasks while others transcribe. */
const POLL_MS = { usual: 1000, quick: 200 }

class Lost extends Error {}

/** Transcribes what is due, as many recordings at once as the engine is configured for. */
export async function transcribeQueued(context: Deps, signal: AbortSignal): Promise<void> {
  let busy = 0
  const work = async () => {
    for (;;) {
      busy += 1
      try {
        while (!signal.aborted && (await transcribeNext(context, signal)));
      } finally {
        busy -= 1
      }
      // Other workers may have an hour to go: what is queued meanwhile must not wait for them.
      if (busy === 0 || signal.aborted) return
      await sleep(POLL_MS[context.config.pace], undefined, { signal, ref: false }).catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: context.config.speech.parallel }, work))
}

/** @returns false if nothing is due */
export async function transcribeNext(context: Deps, stopping: AbortSignal, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  const at = now(context)
  const task = await context.db.transaction((tx) =>
    claimNext(tx, { at, until: leaseEnd(context), parallel: context.config.speech.parallel }),
  )
  if (!task) return false
  // Only servers that died leave so many attempts behind.
  if (task.attempts > SPEECH_ATTEMPTS) {
    await settle(context, task, (tx) => endTask(tx, task.no, 'failed', 'processing', now(context)))
    return true
  }
  const began = performance.now()
  try {
    const segments = await runEngine(context, task, stopping, timeoutMs)
    const engineSeconds = (performance.now() - began) / 1000
    await complete(context, task, await inScript(task, segments), engineSeconds)
  } catch (error) {
    await handleFailure(context, task, error, stopping)
  }
  return true
}

/** Engines know one Chinese, and write it in characters of their choice. */
async function inScript({ language }: Leased, segments: Segment[]): Promise<Segment[]> {
  if (language !== 'zh-Hant') return segments
  const texts = await toTraditional(segments.map(({ text }) => text))
  return segments.map((segment, index) => ({ ...segment, text: texts[index] ?? segment.text }))
}

const leaseEnd = (context: Deps): Date => new Date(now(context).getTime() + LEASE_MS)

async function runEngine(
  context: Deps,
  task: Leased,
  stopping: AbortSignal,
  { base, perSecond }: typeof TIMEOUT_MS,
): Promise<Segment[]> {
  const engine = engineOf(context)
  if (!engine) throw new EngineError('unreachable', 'no engine is configured')
  const lost = new AbortController()
  const ended = new AbortController()
  const timeout = AbortSignal.timeout(base + Math.ceil(task.seconds) * perSecond)
  const renewing = keepLease(context, task, lost, ended.signal)
  try {
    const recording = { ...task, parts: () => partsOf(context.db, task.no) }
    return await transcribe(engine, recording, AbortSignal.any([stopping, lost.signal, timeout]))
  } catch (error) {
    throw timeout.aborted && !lost.signal.aborted ? new EngineError('slow', 'the engine took too long') : error
  } finally {
    ended.abort()
    await renewing
  }
}

/** Renews the lease until the engine has answered, and stops the engine when the task is no longer this server's. */
async function keepLease(context: Deps, task: Leased, lost: AbortController, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sleep(RENEW_MS[context.config.pace], undefined, { signal: ended, ref: false }).catch(() => {})
    if (ended.aborted) return
    try {
      if (!(await renewLease(context.db, task, leaseEnd(context))))
        return lost.abort(new Lost('the task was cancelled'))
    } catch {
      // The database is unavailable: the lease may still be renewed in time.
    }
  }
}

/** Runs the step if the task is still this server's. */
const settle = (context: Deps, task: Leased, step: (tx: Db) => Promise<unknown>): Promise<void> =>
  context.db.transaction(async (tx) => {
    if (await lockLeased(tx, task)) await step(tx)
  })

async function complete(context: Deps, task: Leased, segments: Segment[], engineSeconds: number): Promise<void> {
  await settle(context, task, (tx) => {
    const at = now(context)
    const audioUntil = new Date(at.getTime() + SPEECH_AUDIO_KEPT)
    return completeTask(tx, task.no, segments, { at, audioUntil, engineSeconds })
  })
  await engineAnswered(context.db)
}

async function handleFailure(context: Deps, task: Leased, error: unknown, stopping: AbortSignal): Promise<void> {
  if (error instanceof Lost) return
  const at = now(context)
  const retryAt = new Date(at.getTime() + RETRY_MS)
  const fail = (failure: SpeechFailure) => settle(context, task, (tx) => endTask(tx, task.no, 'failed', failure, at))
  if (stopping.aborted) return settle(context, task, (tx) => releaseTask(tx, task.no, at, true))
  if (!(error instanceof EngineError)) {
    // Such as an unavailable database: the lease ends, and another run continues.
    throw error
  }
  context.log.warn({ task: task.no, kind: error.kind, err: error.message }, 'a transcription failed')
  if (error.kind === 'refused') return fail('refused')
  // Two more attempts would keep all others waiting.
  if (error.kind === 'slow') return fail('processing')
  if (error.kind === 'failed') {
    if (task.attempts >= SPEECH_ATTEMPTS) return fail('processing')
    return settle(context, task, (tx) => releaseTask(tx, task.no, retryAt, false))
  }
  if (task.waiting_since && at.getTime() - task.waiting_since.getTime() >= SPEECH_ENGINE_WAIT) return fail('engine')
  await settle(context, task, async (tx) => {
    await releaseTask(tx, task.no, retryAt, true)
    await postponeAll(tx, retryAt, at)
  })
}
