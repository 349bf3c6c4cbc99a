import { useEffect, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import type { Picked } from '../transfers/picked.ts'
import type { AnonymousAttempt, Attempt, Idle } from './attempt.ts'
import { t } from './texts.ts'

/** The code that carries an upload out and shows it: fetched for whoever is about to bring a file. */
export const going = () => import('./anonymous-going.tsx')

/** One upload without an account: what it is doing, and how to begin, stop and forget it. */
export function useAnonymousUpload(): AnonymousAttempt {
  const [attempt, setAttempt] = useState<Attempt | Idle>({ state: 'idle' })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const upload = async (file: File) => {
    stop.current?.()
    const controller = new AbortController()
    const cancel = () => controller.abort()
    stop.current = cancel
    // Another file may have been dropped meanwhile: only the latest is shown.
    const show = (next: Attempt | Idle) => stop.current === cancel && setAttempt(next)
    try {
      const { send } = await going()
      await send(file, { signal: controller.signal, cancel, show })
    } catch {
      show({ state: 'idle', note: shell.errors.chunkTitle })
    } finally {
      if (stop.current === cancel) stop.current = undefined
    }
  }
  const take = (picked: readonly Picked[]) => {
    const [first] = picked
    if (picked.length !== 1 || first?.kind !== 'file') return setAttempt({ state: 'idle', note: t.card.oneFile })
    setAttempt({ state: 'idle', note: shell.words.loading })
    void upload(first.file)
  }
  return { attempt, take, retry: upload, reset: () => setAttempt({ state: 'idle' }) }
}
