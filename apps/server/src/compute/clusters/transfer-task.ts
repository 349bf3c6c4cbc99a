import type { FolderProblem, FolderSkip } from '@tidenet/contract'

/** Copying files between a folder of an account's storage and a program. */

export interface TransferTask {
  /** `save`: changed files become new versions. `fill`: the same, then new files of the folder are copied; the program must not run. */
  kind: 'save' | 'fill'
  /** Origin of the portal. */
  portal: string
  /** An API key of the folder. */
  key: string
  /** Id of the folder. */
  folder: number
  /** Absolute path in the program. */
  path: string
  /** The CIDs of the files that both sides had last, by path below the folder. */
  base: Readonly<Record<string, string>>
  /** Files that an interrupted `fill` was copying. Whatever of them is in the program is not the program's work. */
  copying: Readonly<Record<string, string>>
  /** Of all files together. */
  maxBytes: number
  maxFiles: number
}

export interface TransferResult {
  /** Whether the program has the files and can start. */
  filled: boolean
  base: Record<string, string>
  problem: FolderProblem | ''
  /** In English, for the owner. */
  note: string
  savedFiles: number
  savedBytes: number
  /** The first 20. */
  skipped: { path: string; reason: FolderSkip }[]
  skippedCount: number
}

/** Before anything was copied. */
export const noResult = ({ base }: Pick<TransferTask, 'base'>): TransferResult => ({
  filled: false,
  base: { ...base },
  problem: '',
  note: '',
  savedFiles: 0,
  savedBytes: 0,
  skipped: [],
  skippedCount: 0,
})

export interface TransferOptions {
  /** Stores what is copied, before it is. */
  plan(copying: Record<string, string>): Promise<void>
  signal?: AbortSignal | undefined
}
