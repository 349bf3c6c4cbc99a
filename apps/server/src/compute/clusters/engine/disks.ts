import type { WorkloadRef } from '../driver.ts'

/** What holds a part of a workload's disk: a folder of this machine, or the name of a volume of the engine. */
export interface Source {
  kind: 'bind' | 'volume'
  source: string
}

/** Where workloads keep what outlives their programs. */
export interface Disks {
  /** Whether a disk refuses what is too much, or its use is looked at now and then. */
  kind: 'enforced' | 'metered'
  /** Makes, grows and mounts a workload's disk as needed; gives that many parts of it. */
  ready(ref: WorkloadRef, bytes: number, parts: number): Promise<Source[]>
  /** A folder of this machine on a disk that is ready, beside what programs see of it; undefined: there is none. */
  own(ref: WorkloadRef): string | undefined
  /** Lets go of a disk that nobody uses; it stays. */
  release(ref: WorkloadRef): Promise<void>
  /** Bytes in use. */
  used(ref: WorkloadRef): Promise<number>
  /** The workspaces whose disks are known to be here; volumes are known to the engine alone. */
  workspaces(): string[]
  remove(ref: WorkloadRef): Promise<void>
  /** Also those whose workload never came to be. */
  removeAll(workspace: string): Promise<void>
}
