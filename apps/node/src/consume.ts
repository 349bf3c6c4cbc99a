import type { Readable } from 'node:stream'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

/**
 * Passes a stream to `take` chunk by chunk, waiting if it returns a promise. Faster than async iteration, which always waits. Rejects if
 * the stream fails or ends early, if `take` rejects, and after `silenceMs` without data.
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
      // Ignore errors during destruction.
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
