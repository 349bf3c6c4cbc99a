import { createHash } from 'node:crypto'
import type { Duplex, Readable } from 'node:stream'
import type { HealthCheck, HealthState } from '@tidenet/contract'
import type { OpenArchive } from './archives/open-archive.ts'
import type { TransferOptions, TransferResult, TransferTask } from './transfer-task.ts'

/** Resources, as a limit or in use: cores, bytes of memory, bytes of disk. */
export interface Size {
  cpu: number
  memory: number
  storage: number
}

/** What an order provides on a cluster. Its workloads together may use `size`. */
export interface WorkspaceSpec {
  /** Lower-case letters, digits and hyphens, at most 40 characters. */
  id: string
  /** The public name of the account. */
  owner: string
  size: Size
  /** Its workloads together may use these GPUs. Default: none. */
  gpus?: number
  /** Its workloads reach nothing outside of the workspace. */
  offline?: boolean
}

/** For pulling an image of its registry. */
export interface RegistryLogin {
  username: string
  password: string
}

/** A program in a workspace. */
export interface WorkloadSpec {
  /** Lower-case letters, digits and hyphens, at most 40 characters; unique on the cluster. */
  id: string
  /** Host name within the workspace. */
  name: string
  /** A full reference such as docker.io/library/nginx:1.27; undefined: the cluster's default image. */
  image: string | undefined
  /** For the registry of the image. Used for pulling only, so it is no part of the hash. */
  login?: RegistryLogin
  /** Loads the image instead of pulling it; `image` is then a name of its content, and the program's own. */
  archive?: () => Promise<OpenArchive>
  /** Empty: the image's own command; in the default image, a command that waits. */
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** TCP ports that the program listens on. */
  ports: readonly number[]
  options?: ProgramOptions
  /** GPUs of its own; only for clusters that have some. */
  gpus?: number
  /** Only for clusters that check health by themselves. */
  health?: HealthCheck
  /** Called when its container exists and is about to be started; not part of the hash. If it fails, the program is not started. */
  beforeStart?: () => Promise<void>
  size: Size
}

/** What else differs from the image. Absent: as the image says. */
export interface ProgramOptions {
  /** Folders that are on its disk, beside `/data` and the volumes of the image. */
  paths?: readonly string[] | undefined
  /** Without a command, the image's command is dropped. */
  entrypoint?: readonly string[] | undefined
  /** `name`, or `uid:gid`. */
  user?: string | undefined
  workingDir?: string | undefined
}

/** The name of the part of a disk that holds a folder of `ProgramOptions`: the same wherever it stands in the list. */
export const partOf = (path: string): string => `p${createHash('sha256').update(path).digest('hex').slice(0, 12)}`

/** A hash of everything in the spec except the size, to detect changes. */
export const specHashOf = ({
  name,
  image,
  command,
  env,
  ports,
  options = {},
  health,
  gpus = 0,
}: WorkloadSpec): string => {
  const more = [options.paths ?? [], options.entrypoint ?? [], options.user ?? '', options.workingDir ?? '']
  return createHash('sha256')
    .update(
      JSON.stringify([
        name,
        image ?? '',
        command,
        Object.entries(env).sort(),
        ports,
        // Programs from before keep their hash, and are not restarted.
        ...(more.some(({ length }) => length > 0) ? [more] : []),
        ...(gpus > 0 ? [gpus] : []),
        ...(health ? [[health.kind, health.port, health.path, health.interval, health.threshold]] : []),
      ]),
    )
    .digest('hex')
    .slice(0, 32)
}

/** Identifies a workload. */
export interface WorkloadRef {
  workspace: string
  workload: string
}

export interface WorkloadState extends WorkloadRef {
  /** `stopping`: told to stop, but still running. */
  state: 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'
  size: Size
  /** Exit code of the last run; 137 if it was killed, for example for lack of memory. */
  exitCode?: number
  /** Whether the last run was killed for lack of memory. */
  outOfMemory?: boolean
  /** Why it never ran: its image cannot be pulled, its registry refuses access, or its command does not exist. */
  failure?: PullFailure | 'command'
  startedAt?: Date
  /** Its health and restarts, from clusters that check and restart by themselves. */
  health?: HealthState
  restarts?: number
  /** The cluster's message why it is not running. */
  reason?: string
  /** Addresses of its ports outside of the workspace. */
  published: readonly { port: number; address: string }[]
  /** `specHashOf` its spec; undefined if it was created by a version that did not store the hash. */
  specHash?: string
  /** `enforced`: writes beyond the disk's size fail. `metered`: usage is measured from time to time. */
  storage: 'enforced' | 'metered'
  /** `own`: it runs on a kernel of its own. `shared`: all workloads of the machine share its kernel. */
  kernel: 'own' | 'shared'
}

/** Resource usage of a workload. */
export interface Usage {
  /** Of all cores, since its start. */
  cpuSeconds: number
  memory: number
  /** Bytes on its disk and in its writable layer. */
  storage: number
  received: number
  sent: number
}

/** A workload and its usage, see `measure`. */
export interface Measured extends WorkloadRef, Usage {
  state: WorkloadState['state']
  exitCode?: number
  /** As in `WorkloadState`. */
  limit: WorkloadState['storage']
}

/**
 * - `ready`: tested, limits hold
 * - `limits-unenforced`: containers would run without limits
 * - `unsafe`: containers would not be isolated from the machine
 * - `absent`: no engine or cluster was found
 */
export type ProbeState = 'ready' | 'limits-unenforced' | 'unsafe' | 'absent'

/** Limits of the traffic of a workspace, all its workloads together; 0: not limited. */
export interface TrafficLimits {
  /** Mbit/s in each direction. */
  megabits: number
  /** Open connections that its programs started. */
  connections: number
  /** Ports to which programs cannot connect. */
  closedPorts: readonly number[]
}

/** The fact `network` of a cluster whose workspaces reach each other. */
export const NOT_APART = 'network policies that the cluster does not enforce'

/** Cores, and bytes of memory. */
export type Power = Pick<Size, 'cpu' | 'memory'>

export interface GpuPower extends Power {
  gpus: number
}

/** A node with GPUs, and what is free on it. */
export interface GpuNode extends GpuPower {
  /** What workloads with GPUs have on it, by workspace. */
  taken: Readonly<Record<string, GpuPower>>
}

export interface Probe {
  state: ProbeState
  /** For the operator, in English; empty when ready. */
  reason: string
  /** Name and version, how disk sizes are enforced, the kind of network, and more. */
  facts: Readonly<Record<string, string>>
  /** What is enforced; undefined: nothing, or workspaces have no network. */
  traffic?: TrafficLimits
  /** GPUs that are sold: of all nodes, and the most of one, which one workload can have. */
  gpus?: { all: number; most: number }
  /** A command that installs what is missing, if there is one. */
  command?: string
  /** Everything that was tried, in order, for troubleshooting. */
  tried: readonly { what: string; result: string }[]
}

export interface LogLine {
  at: Date
  /** When its end was written, as `writtenAt`: unlike `at`, this never goes back from one line to the next. */
  written: string
  text: string
}

/**
 * A time of a cluster in one form that sorts: RFC 3339 in UTC with nanoseconds. Programs print thousands of lines within a millisecond.
 * @returns undefined if it is no time
 */
export function writtenAt(time: string): string | undefined {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return undefined
  const [, fraction = ''] = /^[^.]*\.(\d{1,9})/.exec(time) ?? []
  return `${at.toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`
}

/** A cluster may return a line that is being written in part. A second later it is complete. */
const WRITTEN_AFTER_MS = 1000

/** The lines without a last one that may be half written. `at`: the time of the cluster, in ms. */
export const withoutUnfinished = (lines: readonly LogLine[], at: number): LogLine[] => {
  const last = lines.at(-1)
  return last && last.at.getTime() > at - WRITTEN_AFTER_MS ? lines.slice(0, -1) : [...lines]
}

/** For `connect` of `node:net`. `path`: a socket file that accepts one connection. */
export type ProgramAddress = { host: string; port: number } | { path: string }

/** A program that was started inside of a workload. */
export interface Execution {
  /** Writes to stdin; reads stdout and stderr in the order of arrival, or only stdout with `apart`. Its end is the end of stdin. */
  stream: Duplex
  /** With `apart`: stderr. The program waits until both are read. */
  errors?: Readable
  /** Resizes the terminal. Does nothing without a terminal or after the end. */
  resize(columns: number, rows: number): Promise<void>
  /** The exit code, after the stream has ended. */
  exit: Promise<number>
}

export interface ExecOptions {
  command: readonly string[]
  tty: boolean
  /** Without a terminal: stdout and stderr are separate streams. */
  apart?: boolean
  /** The value of `MARK` for the program and all that it starts, so that they can be found. Letters and digits. */
  mark?: string
  columns?: number
  rows?: number
}

/** The variable that marks the programs of an execution. */
export const MARK = 'TIDENET_TERMINAL'

/** Why an image cannot be pulled. */
export const PULL_FAILURES = [
  /** Another reason than the following ones. */
  'image',
  /** The registry has no image of this name. */
  'name',
  /** The image does not have this tag. */
  'tag',
  /** The registry refuses access to the image. */
  'registry',
  /** The registry cannot be reached. */
  'unreachable',
  /** The image did not arrive in time. */
  'slow',
] as const
export type PullFailure = (typeof PULL_FAILURES)[number]

export type ClusterFailure =
  /** The cluster is unreachable, or its limits do not hold. */
  | 'absent'
  /** The cluster or the workspace lacks capacity. */
  | 'full'
  /** No such workspace or workload. */
  | 'unknown'
  /** The workload is not running. */
  | 'stopped'
  | PullFailure
  /** The image names no command, or the command does not exist in it. */
  | 'command'
  /** The image archive cannot be used. */
  | 'archive'
  /** The files of its folder cannot be copied into it. */
  | 'folder'
  /** Files of its folder are being saved; a retry helps. */
  | 'saving'
  /** The workload's process limit is reached. */
  | 'processes'
  /** Any other failure; a retry may help. */
  | 'failed'

/** Messages of failures that every driver reports. */
export const WORKSPACE_FULL = 'The workspace does not have enough free resources.'
export const DISK_SHRINKS = 'A disk cannot be made smaller.'

export class ClusterError extends Error {
  readonly failure: ClusterFailure
  constructor(failure: ClusterFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClusterError'
    this.failure = failure
  }
}

/**
 * Runs programs with limits and isolated from each other. All functions are idempotent and throw ClusterError. A driver has no state of
 * its own beyond caches, so another server, or this one after a crash, continues from the state of the cluster.
 */
export interface ClusterDriver {
  readonly kind: 'engine' | 'kubernetes'
  /** It checks the health of programs by itself, and restarts unhealthy ones. */
  readonly checksHealth?: boolean
  /** It pulls images again by itself, with the login of the last `deploy`; so a changed login needs another one. */
  readonly keepsLogins?: boolean
  /** Finds and tests the cluster. Takes seconds at the first call or with `again`; otherwise the result is cached. */
  probe(again?: boolean): Promise<Probe>
  /** The capacity for all workspaces together; `apart`: what only workspaces with GPUs can use beside it. */
  capacity(): Promise<Size & { apart?: Power }>
  /** The nodes with GPUs, now. Undefined: none are sold. */
  gpuNodes?(): Promise<readonly GpuNode[]>

  /** Creates a workspace, or resizes it. After this, workloads of a suspended workspace can be deployed again. */
  createWorkspace(workspace: WorkspaceSpec): Promise<void>
  /** Stops all workloads. Disks stay, and so do changes of file systems, as snapshots. */
  suspendWorkspace(id: string): Promise<void>
  /** Removes the workspace with its workloads and disks; resolves when everything is gone. */
  removeWorkspace(id: string): Promise<void>
  /** The ids of all workspaces of this installation. */
  listWorkspaces(): Promise<string[]>

  /**
   * Starts a workload, new or stopped, suspended or partly lost; existing data stays. Throws `full` if the workloads together would exceed
   * the workspace.
   */
  deploy(workspace: WorkspaceSpec, workload: WorkloadSpec): Promise<void>
  /**
   * Changes the size, variables, ports, command or image of a workload and runs it. The disk keeps its data; changes of the file system
   * are lost if the image changes. The program may be restarted. Disks cannot be made smaller.
   */
  resize(workspace: WorkspaceSpec, workload: WorkloadSpec): Promise<void>
  stop(ref: WorkloadRef): Promise<void>
  remove(ref: WorkloadRef): Promise<void>
  /** The workloads of a workspace, or all of this installation. */
  list(workspace?: string): Promise<WorkloadState[]>

  /**
   * The workloads whose containers exist but do not run. Undefined: the cluster itself restarts programs that end. Cheaper than `list`,
   * because it is called every few seconds.
   */
  ended?(): Promise<WorkloadRef[]>

  /**
   * Where this process connects to a port of a running workload, once and now: after a restart the address may be that of another workload.
   * Throws `stopped`, and `unknown` if the workload has no network.
   */
  addressOf(ref: WorkloadRef, port: number): Promise<ProgramAddress>
  /** Has the cluster lead all names below a domain to our ingress in it, if the operator wants that. */
  leadToIngress?(domain: string): Promise<void>
  exec(ref: WorkloadRef, options: ExecOptions): Promise<Execution>
  /**
   * Its output since its container was created, oldest first, as far as the cluster keeps it (about 5 MB): the last lines, or all from the
   * second of a time. With `settled`, without a last line of this moment, which may be half written.
   */
  logs(ref: WorkloadRef, options: { lines?: number; since?: Date; settled?: boolean }): Promise<LogLine[]>
  usage(ref: WorkloadRef): Promise<Usage>
  /** State and usage of all workloads of these workspaces. The number of requests does not grow with the number of workspaces. */
  measure(workspaces: readonly string[]): Promise<Measured[]>
  /** Unpacks a tar archive at the root of the workload's file system. */
  copyIn(ref: WorkloadRef, archive: Readable): Promise<void>
  /** Copies files between a folder of an account's storage and a workload, see `TransferTask`. Undefined: not offered. */
  transfer?(ref: WorkloadRef, task: TransferTask, options: TransferOptions): Promise<TransferResult>

  /** Closes connections and stops services that were started for them. Workloads keep running. */
  close(): Promise<void>
}
