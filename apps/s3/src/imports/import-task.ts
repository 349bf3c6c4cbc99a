import type { ImportJob, ImportReason } from '@tidenet/contract'
import { ImportFailed } from './import-failed.ts'
import type { SourceLimits } from './source-fetch.ts'

/** What the owner sees of a running import. */
export interface Counts {
  received: number
  total: number | null
  done: number
  skipped: number
  failed: number
  objects: number
  archived: number
  /** The first objects that were not copied. */
  problems: { key: string; reason: ImportReason }[]
}

/** An import that runs here. */
export interface ImportTask {
  job: ImportJob
  /** Origin of the portal. */
  server: string
  limits: SourceLimits
  counts: Counts
  /** Bytes that the account may still store, as the portal said last. */
  free: number
  /** A folder of this import only, which is deleted with it. */
  folder: string
  /** Bytes of all blocks of a file that was put into a folder of its own; 0 if it was not. */
  wrappedBytes: number
  /** Tells the portal what is known so far, at once. @throws ImportFailed if it does not hear it */
  tell(): Promise<void>
}

/** @throws ImportFailed if an account may not store `size` bytes more, or an import not that much at once */
export function requireFits({ job, free }: ImportTask, size: number): void {
  if (size > free) throw new ImportFailed('quota')
  if (size > job.file_max) throw new ImportFailed('tooLarge')
}
