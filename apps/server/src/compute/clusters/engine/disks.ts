import type { WorkloadRef } from '../driver.ts'

/** A part of a workload's disk: a folder of this machine, or a volume of the engine. */
export interface Source {
  kind: 'bind' | 'volume'
  source: string
}

/** The persistent disks of workloads. */
export interface Disks {
  /** `enforced`: writes beyond the size fail. `metered`: usage is measured from time to time. */
  kind: 'enforced' | 'metered'
  /**
   * Creates, enlarges and mounts a workload's disk as needed.
   * @param parts how many parts with a number
   * @param named parts with a name, which every user in the container may write
   * @returns first those with a number
   */
  prepare(ref: WorkloadRef, bytes: number, parts: number, named?: readonly string[]): Promise<Source[]>
  /**
   * Notes which numbered part belongs to which volume of an image, from 1, see `assignVolumes`.
   * @param volumes of the image of the workload
   * @returns all that the disk ever had, by part, without part 0
   */
  noteVolumes(ref: WorkloadRef, volumes: readonly string[]): Promise<string[]>
  /** A folder of this machine on a mounted disk, outside of what programs see; undefined if the disk is a volume. */
  hostFolder(ref: WorkloadRef): string | undefined
  /** Unmounts a disk that is not in use. Its content stays. */
  unmount(ref: WorkloadRef): Promise<void>
  /** Bytes in use on each of these disks. */
  used(refs: readonly WorkloadRef[]): Promise<number[]>
  /** Workspaces that have disks on this machine; volumes are not included. */
  workspaces(): string[]
  remove(ref: WorkloadRef): Promise<void>
  /** Removes all disks of a workspace, also of workloads that were never created. */
  removeAll(workspace: string): Promise<void>
}
