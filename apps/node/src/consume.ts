import type { Readable } from 'node:stream'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

/**
 * Feeds a stream to `take`, chunk by chunk; waits when it returns a promise. Cheaper than async iteration, which waits always.
 * Rejects when the stream fails or breaks off, when `take` does, and when it is silent for `silenceMs`.
 */
export function consume(
  source: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  options: { silenceMs?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const silenceMs = options.silenceMs ?? 60_000
  return new Promise((resolve, reject) => {
    let busy: Promise<void> | undefined
    let ended = false
    const timer = setTimeout(() => finish(new Refusal(408, texts.silent)), silenceMs)

    const finish = (error?: unknown) => {
      clearTimeout(timer)
      source.off('data', onData)
      source.off('end', onEnd)
      source.off('error', finish)
      source.off('close', onClose)
      options.signal?.removeEventListener('abort', onAbort)
      if (error === undefined) {
        resolve()
        return
      }
      // It may fail again on its way down; nobody listens any more.
      source.on('error', () => {})
      source.pause()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      timer.refresh()
      try {
        const wait = take(chunk)
        if (!wait) return
        source.pause()
        busy = wait.then(() => {
          busy = undefined
          timer.refresh()
          if (ended) finish()
          else source.resume()
        }, finish)
      } catch (error) {
        finish(error)
      }
    }
    const onEnd = () => {
      ended = true
      if (!busy) finish()
    }
    const onClose = () => {
      if (!ended) finish(new Error('the sender broke off'))
    }
    const onAbort = () => finish(options.signal?.reason ?? new Error('aborted'))

    if (source.destroyed) {
      finish(source.errored ?? new Error('the sender broke off'))
      return
    }
    source.on('data', onData)
    source.on('end', onEnd)
    source.on('error', finish)
    source.on('close', onClose)
    if (options.signal?.aborted) onAbort()
    else options.signal?.addEventListener('abort', onAbort, { once: true })
  })
}
