import type { UploadProgress } from '@tidenet/storage'
import type { Picked } from '../transfers/picked.ts'

export interface Idle {
  state: 'idle'
  note?: string
}

/** An upload that was started. */
export type Attempt =
  | { state: 'running'; file: File; progress?: UploadProgress; nodes: number; cancel: () => void }
  | { state: 'done'; file: File; cid: string }
  | { state: 'failed'; file: File; problem: string }

export interface AnonymousAttempt {
  attempt: Attempt | Idle
  take: (picked: readonly Picked[]) => void
  retry: (file: File) => Promise<void>
  reset: () => void
}
