import { createHash } from 'node:crypto'
import type { Duplex, Readable } from 'node:stream'

/** What somebody may use at most, or uses: cores, and bytes of memory and disk. */
export interface Size {
  cpu: number
  memory: number
  storage: number
}

/** What an order bought on a cluster; its workloads together stay within `size`. */
export interface WorkspaceSpec {
  /** Lower-case letters, digits and hyphens, at most 40 characters. */
  id: string
  /** The public name of the account. */
  owner: string
  size: Size
}

/** One program that runs in a workspace. */
export interface WorkloadSpec {
  /** Lower-case letters, digits and hyphens, at most 40 characters; unique on the cluster. */
  id: string
  /** By which the other workloads of the workspace reach it. */
  name: string
  /** A full reference such as docker.io/library/nginx:1.27; undefined: the cluster's own image. */
  image: string | undefined
  /** Empty: a command that waits in the cluster's own image, what the image says in any other. */
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** TCP ports that the program listens at. */
  ports: readonly number[]
  size: Size
}

/** What is asked of a program beside its size, in a word that changes with it. */
export const askedOf = ({ name, image, command, env, ports }: WorkloadSpec): string =>
  createHash('sha256')
    .update(JSON.stringify([name, image ?? '', command, Object.entries(env).sort(), ports]))
    .digest('hex')
    .slice(0, 32)

/** Names a workload to a driver. */
export interface WorkloadRef {
  workspace: string
  workload: string
}

export interface WorkloadState extends WorkloadRef {
  /** `stopping`: it was asked to end, and still runs. */
  state: 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'
  size: Size
  /** How the last run ended; 137 when it was killed, for memory for example. */
  exitCode?: number
  /** Whether memory was what ended it. */
  outOfMemory?: boolean
  startedAt?: Date
  /** Why it does not run, in the cluster's words. */
  reason?: string
  /** Where its ports are reached from outside. */
  published: readonly { port: number; address: string }[]
  /** `askedOf` what it was made from; undefined for one that was made before that was written down. */
  asked?: string
  /** Whether the disk refuses more than was bought, or is looked at now and then. */
  storage: 'enforced' | 'metered'
}

/** What a workload has used and uses. */
export interface Usage {
  /** Of all cores since it was started. */
  cpuSeconds: number
  memory: number
  /** Of its own disk, and what it changed in the image. */
  storage: number
  received: number
  sent: number
}

/**
 * - `ready`: limits were tried and hold
 * - `limits-unenforced`, `unsafe`: it would run programs, but not within limits, or not apart from the machine
 * - `absent`: nothing is there that runs programs
 */
export type ProbeState = 'ready' | 'limits-unenforced' | 'unsafe' | 'absent'

export interface Probe {
  state: ProbeState
  /** For the operator, in English; empty when ready. */
  reason: string
  /** What was found: name and version, how disks are kept within bounds, which network workspaces have. */
  facts: Readonly<Record<string, string>>
  /** What the operator types to give the machine what it lacks, where one command does. */
  command?: string
  /** Everything that was tried, in order, for who wants to put it right. */
  tried: readonly { what: string; result: string }[]
}

export interface LogLine {
  at: Date
  text: string
}

/** A program that was started inside a workload. */
export interface Execution {
  /** Bytes to its input and from its output (both outputs, in the order they came). */
  stream: Duplex
  /** Of its terminal; nothing without one, or once it has ended. */
  resize(columns: number, rows: number): Promise<void>
  /** The exit code, once the stream has ended. */
  exit: Promise<number>
}

export interface ExecOptions {
  command: readonly string[]
  tty: boolean
  columns?: number
  rows?: number
}

/** Why a cluster did not do what it was asked for. */
export type ClusterFailure =
  /** Nothing there runs programs, or not within limits. */
  | 'absent'
  /** The machine, or the workspace, has no room for it. */
  | 'full'
  /** No such workspace or workload. */
  | 'unknown'
  /** It does not run. */
  | 'stopped'
  /** The image cannot be had. */
  | 'image'
  /** No more processes may be started in it. */
  | 'processes'
  /** Anything else; trying again may help. */
  | 'failed'

export class ClusterError extends Error {
  readonly failure: ClusterFailure
  constructor(failure: ClusterFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClusterError'
    this.failure = failure
  }
}

/**
 * Something that runs people's programs within limits and apart from each other. Every function may be called again after it has failed
 * or succeeded and then changes no more than what is missing; all throw ClusterError. Nothing is remembered between calls that the
 * cluster does not know itself, so another server, or this one after a crash, goes on from what it finds there.
 */
export interface ClusterDriver {
  readonly kind: 'engine' | 'kubernetes'
  /** Looks what is there and tries it out; the first call of a process, or `again`, takes seconds, others remember. */
  probe(again?: boolean): Promise<Probe>
  /** What all workspaces together may be promised. */
  capacity(): Promise<Size>

  /** Makes the workspace, or gives the present one this size; also what was suspended can then be deployed again. */
  createWorkspace(workspace: WorkspaceSpec): Promise<void>
  /** Stops everything in it; what it holds stays, with a snapshot of what its programs changed. */
  suspendWorkspace(id: string): Promise<void>
  /** Removes it with all it holds; resolves once nothing is left of it. */
  removeWorkspace(id: string): Promise<void>
  /** The ids of all workspaces of this installation. */
  listWorkspaces(): Promise<string[]>

  /**
   * Starts a program. What is stopped, suspended or was lost by half is started again with what it held; throws `full` when the
   * workloads would together exceed the workspace.
   */
  deploy(workspace: WorkspaceSpec, workload: WorkloadSpec): Promise<void>
  /**
   * Gives a workload another size, or other variables, ports or another image, and runs it; its disk keeps what it holds, and what was
   * changed in an image goes with that. Its program may be started anew. A disk does not shrink.
   */
  resize(workspace: WorkspaceSpec, workload: WorkloadSpec): Promise<void>
  stop(ref: WorkloadRef): Promise<void>
  remove(ref: WorkloadRef): Promise<void>
  /** The workloads of a workspace, or all of this installation. */
  list(workspace?: string): Promise<WorkloadState[]>

  exec(ref: WorkloadRef, options: ExecOptions): Promise<Execution>
  /** The last lines that it wrote since it was last put there, oldest first. */
  logs(ref: WorkloadRef, options: { lines: number }): Promise<LogLine[]>
  usage(ref: WorkloadRef): Promise<Usage>
  /** Unpacks a tar archive, whose names begin at the root of the workload's disk. */
  copyIn(ref: WorkloadRef, archive: Readable): Promise<void>

  /** Ends connections and whatever was started for them; workloads go on. */
  close(): Promise<void>
}
