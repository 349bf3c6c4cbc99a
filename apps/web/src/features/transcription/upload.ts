import type { SpeechTask } from '@tidenet/contract'
import { SPEECH_PART } from '@tidenet/contract/speech'
import { create } from 'zustand'
import { ApiError } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { onSessionEnd } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { warnBeforeLeaving } from '../../lib/warn-before-leaving.ts'
import { isResumable, isTemporary, nextPartSize } from './retry.ts'
import { type Recording, speechApi, uploadPart } from './speech-api.ts'
import { followTask, rememberRecording } from './tasks.ts'

export interface SpeechUpload {
  id: string
  name: string
  size: number
  /** Bytes that have left this browser. */
  sent: number
  /** `waiting`: the connection is lost, and it will be tried again. */
  state: 'sending' | 'waiting' | 'failed'
  /** Why it failed. */
  error: unknown
  /** Whether it can be continued; the server deletes what it refuses. */
  resumable: boolean
}

/** The upload of this tab. It continues on other pages of the portal. */
export const useUpload = create<{ current: SpeechUpload | undefined }>()(() => ({ current: undefined }))

const TRIES = 6
const FIRST_WAIT_MS = 1000

let running: { recording: Recording; control: AbortController } | undefined
/** In bytes, as the connection allows. */
let partSize = SPEECH_PART

const change = (facts: Partial<SpeechUpload>): void =>
  useUpload.setState(({ current }) => ({ current: current && { ...current, ...facts } }))

/**
 * Uploads a recording in parts and follows its transcription.
 * @param from continues the upload of this task, with the file that it was begun with
 */
export async function startUpload(file: File, language: string, from?: SpeechTask): Promise<void> {
  const recording = { id: from?.id ?? crypto.randomUUID(), file, name: from?.name ?? file.name, language }
  await run(recording, from?.received ?? 0)
}

async function run(recording: Recording, received: number): Promise<void> {
  const { id, file } = recording
  const control = new AbortController()
  running = { recording, control }
  useUpload.setState({
    current: {
      id,
      name: recording.name,
      size: file.size,
      sent: received,
      state: 'sending',
      error: undefined,
      resumable: true,
    },
  })
  try {
    let offset = received
    for (;;) {
      const task = await sendPart(recording, offset, control.signal)
      if (task.state !== 'uploading') {
        rememberRecording(id, file)
        followTask(task)
        useUpload.setState({ current: undefined })
        refresh('speech.account', 'speech.check', 'speech.list')
        return
      }
      // A server that takes nothing would be asked forever.
      if (task.received <= offset) throw new ApiError('server', t.errors.server)
      offset = task.received
      change({ sent: offset })
    }
  } catch (error) {
    if (control.signal.aborted) return
    change({ state: 'failed', error, resumable: isResumable(error) })
    refresh('speech.account', 'speech.check')
  }
}

/** Repeats a part whose connection was lost, which the server accepts once. */
async function sendPart(recording: Recording, offset: number, signal: AbortSignal): Promise<SpeechTask> {
  for (let attempt = 1; ; attempt++) {
    const began = performance.now()
    try {
      const task = await uploadPart(
        recording,
        { offset, size: partSize },
        (bytes) => change({ sent: Math.min(recording.file.size, offset + bytes), state: 'sending' }),
        signal,
      )
      partSize = nextPartSize(partSize, (performance.now() - began) / 1000)
      return task
    } catch (error) {
      if (!isTemporary(error) || attempt === TRIES) throw error
      // Smaller parts are more requests.
      if (error instanceof ApiError && error.kind !== 'busy') partSize = nextPartSize(partSize, undefined)
      change({ state: 'waiting', sent: offset })
      await pause(FIRST_WAIT_MS * 2 ** (attempt - 1), signal)
    }
  }
}

/** Ends early when the browser is online again. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onOnline = () => end(resolve)
    const onAbort = () => end(() => reject(new DOMException('', 'AbortError')))
    const timer = setTimeout(onOnline, ms)
    window.addEventListener('online', onOnline)
    signal.addEventListener('abort', onAbort)
  })

/** Continues a failed upload where the server's copy ends. */
export async function retryUpload(): Promise<void> {
  if (!running) return
  const { recording } = running
  change({ state: 'sending' })
  const received = await speechApi('speech.status', { id: recording.id }).then(
    ({ task }) => task.received,
    () => 0,
  )
  await run(recording, received)
}

/** Stops the upload and deletes what the server has of it. @throws ApiError if the server did not answer */
export async function cancelUpload(): Promise<void> {
  const stopped = running
  stopped?.control.abort()
  running = undefined
  useUpload.setState({ current: undefined })
  if (stopped) await speechApi('speech.remove', { id: stopped.recording.id })
  refresh('speech.check', 'speech.list', 'speech.account')
}

/** Hides an upload that cannot be continued. */
export const dismissUpload = (): void => useUpload.setState({ current: undefined })

warnBeforeLeaving(() => {
  const { current } = useUpload.getState()
  return current !== undefined && current.state !== 'failed'
})

onSessionEnd(() => {
  running?.control.abort()
  running = undefined
  useUpload.setState({ current: undefined })
})
