import { rm } from 'node:fs/promises'
import type { ImportJob, ImportReason } from '@tidenet/contract'
import type { Logger } from '@tidenet/daemon'
import { type Api, createTransfers, isSuccess } from '@tidenet/storage/gateway'
import { importFromCid } from './from-cid.ts'
import { importFromS3 } from './from-s3.ts'
import { importFromUrl } from './from-url.ts'
import { ImportFailed, reasonOf } from './import-failed.ts'
import type { Counts, ImportTask } from './import-task.ts'
import { makeWorkFolder, removeLeftFolders } from './work-folders.ts'

export interface ImportsOptions {
  server: string
  gatewaySecret: string
  /** Imports that run here at the same time. */
  parallel: number
  /** Ms between two questions for work. */
  pollMs: number
  /** A source that sends nothing for so long is given up, ms. */
  silenceMs: number
  /** What an import gets while others wait; default: `TURN_LIMITS`. */
  turnLimits?: TurnLimits
  /** Where files wait; default: the temporary folder of the system. */
  workFolder?: string
}

interface TurnLimits {
  /** Ms after which a source must have sent `RATE_MIN` on average. */
  slowMs: number
  /** Ms after which an import that goes on where it stopped gives its place to others. */
  turnMs: number
}
const TURN_LIMITS: TurnLimits = { slowMs: 5 * 60_000, turnMs: 30 * 60_000 }
/** Bytes per second. Otherwise some sources that send a byte now and then would stop the imports of everybody. */
const RATE_MIN = 128 * 1024

const PROGRESS_MS = 1000
/** A call that the portal does not answer must not outlive the lease. */
const CALL_MS = 5000

const RUN = { url: importFromUrl, cid: importFromCid, s3: importFromS3 }

/** Runs imports of the portal until it is stopped. */
export function startImports(options: ImportsOptions, log: Logger): { stop(): Promise<void> } {
  const { api } = createTransfers({
    url: options.server,
    token: '',
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${options.gatewaySecret}` },
      }),
  })
  const stopped = new AbortController()
  const cleaned = removeLeftFolders(options.workFolder).catch((error: unknown) =>
    log.warn({ err: error }, 'old imports were not deleted'),
  )
  const work = async () => {
    await cleaned
    while (!stopped.signal.aborted) {
      const claimed = await api.call('imports.claim', {}, { timeout: CALL_MS })
      const job = isSuccess(claimed) ? claimed.data.job : null
      if (job) await run(api, job, { options, log, stopped: stopped.signal })
      else await pause(options.pollMs, stopped.signal)
    }
  }
  const workers = Array.from({ length: options.parallel }, work)
  return {
    async stop() {
      stopped.abort()
      await Promise.all(workers)
    },
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

/** Never throws: whatever a source or this machine does ends its import only. */
async function run(
  api: Api,
  job: ImportJob,
  { options, log, stopped }: { options: ImportsOptions; log: Logger; stopped: AbortSignal },
): Promise<void> {
  const { id } = job
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, stopped])
  const counts: Counts = {
    received: 0,
    total: null,
    done: 0,
    skipped: 0,
    failed: 0,
    objects: 0,
    archived: 0,
    problems: [],
  }
  const task: ImportTask = {
    job,
    server: options.server,
    limits: { privateToo: job.private_too, silenceMs: options.silenceMs, signal },
    counts,
    free: job.free,
    wrappedBytes: 0,
    folder: '',
    async tell() {
      const answer = await api.call('imports.progress', progressOf(task), { signal, timeout: CALL_MS })
      if (!isSuccess(answer)) throw new ImportFailed('gateway', answer.msg)
    },
  }
  const finished = new AbortController()
  const reporting = report(api, task, ended, {
    finished: finished.signal,
    turnLimits: options.turnLimits ?? TURN_LIMITS,
  }).catch((error: unknown) => ended.abort(error))
  let reason: ImportReason | '' = ''
  let cid = ''
  try {
    task.folder = await makeWorkFolder(options.workFolder)
    cid = await RUN[job.kind](task)
  } catch (error) {
    const known = reasonOf(error)
    // A gateway that is stopped is no fault of the import, which another one takes.
    reason = stopped.aborted ? 'interrupted' : (known ?? 'gateway')
    if (!signal.aborted)
      log[known ? 'info' : 'error'](
        { import: id, reason, ...(known ? { detail: (error as Error).message } : { err: error }) },
        'an import failed',
      )
  }
  finished.abort()
  await reporting
  if (task.folder !== '')
    await rm(task.folder, { recursive: true, force: true }).catch((error: unknown) =>
      log.warn({ import: id, err: error }, 'the files of an import were not deleted'),
    )
  const answer = await api.call('imports.finish', { ...progressOf(task), reason, cid }, { timeout: CALL_MS })
  // When the lease ends, another gateway takes it, and the portal finds what is stored.
  if (!isSuccess(answer)) log.warn({ import: id, reason: answer.msg }, 'the end of an import was not reported')
}

const progressOf = ({ job: { id, lease }, counts, wrappedBytes }: ImportTask) => ({
  id,
  lease,
  ...counts,
  wrapped_bytes: wrappedBytes,
})

/** Reports progress every second, and ends the import if it was cancelled or belongs to another worker by now. */
async function report(
  api: Api,
  task: ImportTask,
  ended: AbortController,
  { finished, turnLimits }: { finished: AbortSignal; turnLimits: TurnLimits },
): Promise<void> {
  const { lease_ms: leaseMs } = task.job
  const began = performance.now()
  let renewed = began
  for (;;) {
    await pause(PROGRESS_MS, finished)
    if (finished.aborted) return
    const answer = await api.call('imports.progress', progressOf(task), {
      signal: AbortSignal.any([finished, AbortSignal.timeout(Math.min(CALL_MS, leaseMs / 2))]),
    })
    if (finished.aborted) return
    if (isSuccess(answer)) {
      renewed = performance.now()
      task.free = answer.data.free
    }
    const isLost = performance.now() - renewed > leaseMs
    if (isLost || (isSuccess(answer) && !answer.data.go)) return ended.abort(new ImportFailed('interrupted'))
    const leaves = isSuccess(answer) && answer.data.awaited && whyLeave(task, performance.now() - began, turnLimits)
    if (leaves) return ended.abort(new ImportFailed(leaves))
  }
}

/** Why an import leaves its worker to others that wait; undefined: it goes on. */
function whyLeave({ job, counts }: ImportTask, ms: number, { slowMs, turnMs }: TurnLimits): ImportReason | undefined {
  // What is there is skipped when it goes on.
  if (job.kind === 's3') return ms > turnMs ? 'interrupted' : undefined
  return ms > slowMs && counts.received < (RATE_MIN * ms) / 1000 ? 'slow' : undefined
}
