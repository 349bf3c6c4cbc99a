import { useEffect, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import type { Picked } from '../transfers/picked.ts'
import type { AnonymousAttempt, Attempt, Idle } from './attempt.ts'
import { t } from './texts.ts'

/** Loads the code that runs and shows an upload. */
export const loadUploader = () => import('./anonymous-progress.tsx')

/** State and actions of an anonymous upload. */
export function useAnonymousUpload(): AnonymousAttempt {
  const [attempt, setAttempt] = useState<Attempt | Idle>({ state: 'idle' })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const upload = async (file: File) => {
    stop.current?.()
    const controller = new AbortController()
    const cancel = () => controller.abort()
    stop.current = cancel
    // Another file may have been dropped meanwhile; show only the latest.
    const show = (next: Attempt | Idle) => stop.current === cancel && setAttempt(next)
    try {
      const { send } = await loadUploader()
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
