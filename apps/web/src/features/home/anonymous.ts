import { TEMP_FILE_LIFE, TEMP_FILE_MAX } from '@tidenet/contract/constants'
import type { UploadProgress } from '@tidenet/storage'
import { useEffect, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import type { Picked } from '../transfers/picked.ts'
import { anonymousStorage } from '../transfers/storage.ts'
import { rememberLeft } from '../uploads/left-files.ts'
import { t } from './card-texts.ts'

export type Attempt =
  | { state: 'idle'; note?: string }
  | { state: 'running'; file: File; progress?: UploadProgress; nodes: number; cancel?: () => void }
  | { state: 'done'; file: File; cid: string }
  | { state: 'failed'; file: File; problem: string }

export interface AnonymousAttempt {
  attempt: Attempt
  take: (picked: readonly Picked[]) => void
  retry: (file: File) => Promise<void>
  reset: () => void
}

/** One upload without an account: what it is doing, and how to begin, stop and forget it. */
export function useAnonymousUpload(): AnonymousAttempt {
  const [attempt, setAttempt] = useState<Attempt>({ state: 'idle' })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const upload = async (file: File) => {
    stop.current?.()
    if (file.size === 0) return setAttempt({ state: 'failed', file, problem: t.empty })
    if (file.size > TEMP_FILE_MAX) return setAttempt({ state: 'failed', file, problem: t.tooLarge })
    const controller = new AbortController()
    const cancel = () => controller.abort()
    stop.current = cancel
    setAttempt({ state: 'running', file, nodes: 0, cancel })
    // Another file may have been dropped meanwhile: only the latest is shown.
    const show = (next: Attempt) => stop.current === cancel && setAttempt(next)
    try {
      const sdk = await anonymousStorage()
      const tried = new Set<string>()
      const result = await sdk.uploadAsset(file, { groupId: -1, signal: controller.signal }, (progress) => {
        if (progress.node) tried.add(progress.node)
        show({ state: 'running', file, progress, nodes: tried.size, cancel })
      })
      if (result.code === 0) {
        const { cid } = result.data as { cid: string }
        rememberLeft(cid, Date.now() + TEMP_FILE_LIFE)
        show({ state: 'done', file, cid })
      } else if (result.code === -200) show({ state: 'idle', note: t.cancelled })
      else show({ state: 'failed', file, problem: result.msg })
    } catch {
      show({ state: 'failed', file, problem: shell.errors.chunkTitle })
    } finally {
      if (stop.current === cancel) stop.current = undefined
    }
  }
  const take = (picked: readonly Picked[]) => {
    const [first] = picked
    if (picked.length !== 1 || first?.kind !== 'file') setAttempt({ state: 'idle', note: t.oneFile })
    else void upload(first.file)
  }
  return { attempt, take, retry: upload, reset: () => setAttempt({ state: 'idle' }) }
}
