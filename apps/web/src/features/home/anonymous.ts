import { TEMP_FILE_LIFE, TEMP_FILE_MAX } from '@tidenet/contract/constants'
import type { UploadProgress } from '@tidenet/storage'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../lib/texts.ts'
import type { Picked } from '../transfers/picked.ts'
import { anonymousStorage } from '../transfers/storage.ts'

export type Attempt =
  | { state: 'idle'; note?: string }
  | { state: 'running'; file: File; progress?: UploadProgress; nodes: number; cancel?: () => void }
  | { state: 'done'; file: File; cid: string; until: number }
  | { state: 'failed'; file: File; problem: string }

/** One upload without an account: what it is doing, and how to begin, stop and forget it. */
export function useAnonymousUpload() {
  const [attempt, setAttempt] = useState<Attempt>({ state: 'idle' })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const upload = async (file: File) => {
    if (file.size === 0) return setAttempt({ state: 'failed', file, problem: t.home.empty })
    if (file.size > TEMP_FILE_MAX) return setAttempt({ state: 'failed', file, problem: t.home.tooLarge })
    const controller = new AbortController()
    const cancel = () => controller.abort()
    stop.current = cancel
    setAttempt({ state: 'running', file, nodes: 0, cancel })
    try {
      const sdk = await anonymousStorage()
      const tried = new Set<string>()
      const result = await sdk.uploadAsset(file, { groupId: -1, signal: controller.signal }, (progress) => {
        if (progress.node) tried.add(progress.node)
        setAttempt({ state: 'running', file, progress, nodes: tried.size, cancel })
      })
      if (result.code === 0) {
        const { cid } = result.data as { cid: string }
        setAttempt({ state: 'done', file, cid, until: Date.now() + TEMP_FILE_LIFE })
      } else if (result.code === -200) setAttempt({ state: 'idle', note: t.home.cancelled })
      else setAttempt({ state: 'failed', file, problem: result.msg })
    } catch {
      setAttempt({ state: 'failed', file, problem: t.errors.chunkTitle })
    } finally {
      stop.current = undefined
    }
  }
  const take = (picked: readonly Picked[]) => {
    const [first] = picked
    if (picked.length !== 1 || first?.kind !== 'file') setAttempt({ state: 'idle', note: t.home.oneFile })
    else void upload(first.file)
  }
  return { attempt, take, retry: upload, reset: () => setAttempt({ state: 'idle' }) }
}
