import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type Docker from 'dockerode'
import { type Size, specHashOf, type WorkloadSpec, type WorkloadState } from '../driver.ts'
import type { Source } from './disks.ts'

/** Labels of our containers, networks and volumes. */
export const LABEL = {
  installation: 'tidenet.installation',
  workspace: 'tidenet.workspace',
  workload: 'tidenet.workload',
  owner: 'tidenet.owner',
  cpu: 'tidenet.cpu',
  memory: 'tidenet.memory',
  storage: 'tidenet.storage',
  disk: 'tidenet.disk',
  volumes: 'tidenet.volumes',
  image: 'tidenet.image',
  specHash: 'tidenet.asked',
  kernel: 'tidenet.kernel',
} as const

/** Enough to install packages and to switch to another user; none of them reaches outside of the container. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID', 'KILL', 'NET_BIND_SERVICE']
const PIDS = 256
/** In a sandbox: its threads and those of its helpers count as well. */
const SANDBOX_PIDS = 1024
/** Mount point of a workload's disk. */
export const DISK = '/data'
/** Waits, and ends at once on SIGTERM. */
const WAIT = ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done']

/** Limits of every container, also of the self-test's. */
export function limits({ cpu, memory }: Pick<Size, 'cpu' | 'memory'>, pids = PIDS): Docker.HostConfig {
  return {
    Init: true,
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    NanoCpus: Math.round(cpu * 1e9),
    Memory: memory,
    // Equal to the memory limit: no swap, which would be memory that nobody bought.
    MemorySwap: memory,
    PidsLimit: pids,
    // Always set: the defaults of some engines are more than they are allowed.
    Ulimits: ulimits(),
    // The engine rotates log files at this size.
    LogConfig: { Type: 'json-file', Config: { 'max-size': '5m' } },
  }
}

let known: Docker.Ulimit[] | undefined

/** The usual limits, but at most our own: an engine that we start cannot give more than we have. */
function ulimits(): Docker.Ulimit[] {
  // Podman raises its own limit to at most this.
  const processes = Math.min(32_768, hardLimit('Max processes'))
  known ??= [
    {
      Name: 'nofile',
      Soft: Math.min(1024, hardLimit('Max open files')),
      Hard: Math.min(65_536, hardLimit('Max open files')),
    },
    // The kernel counts processes per user over all containers, so a low limit would let tenants block each other. PidsLimit applies instead.
    { Name: 'nproc', Soft: processes, Hard: processes },
  ]
  return known
}

function hardLimit(name: string): number {
  try {
    const line = readFileSync('/proc/self/limits', 'utf8')
      .split('\n')
      .find((each) => each.startsWith(name))
    const value = Number(/(\d+|unlimited)\s+(\d+|unlimited)/.exec(line?.slice(name.length) ?? '')?.[2])
    return Number.isFinite(value) ? value : 65_536
  } catch {
    return 65_536
  }
}

export interface ContainerSettings {
  installation: string
  workspace: string
  owner: string
  image: string
  /** Whether the image is the cluster's default image. */
  isDefaultImage: boolean
  /** Whether the disk rejects writes beyond its size. */
  storage: 'enforced' | 'metered'
  /** The parts of its disk, and their mount points. */
  disks: readonly (Source & { target: string })[]
  /** The workspace's network; undefined: none. */
  network: string | undefined
  /** The address at which ports are published; empty: they are not. */
  publish: string
  /** Whether it has a kernel of its own. */
  ownKernel: boolean
  /** Whether programs may open raw sockets, which some versions of ping need. */
  rawSockets: boolean
}

/** The container of a workload, for the engine. All labels are set, so that the image's labels cannot replace them. */
export function containerOf(spec: WorkloadSpec, settings: ContainerSettings): Docker.ContainerCreateOptions {
  const ports = settings.network && settings.publish !== '' ? spec.ports : []
  const { entrypoint = [], user, workingDir } = spec.options ?? {}
  const command =
    spec.command.length > 0 || entrypoint.length > 0 ? [...spec.command] : settings.isDefaultImage ? WAIT : undefined
  return {
    name: nameOf(settings.installation, spec.id),
    Hostname: spec.name,
    Image: settings.image,
    // Otherwise the image's entry point would receive the command as arguments.
    ...(command && { Cmd: command, ...(settings.isDefaultImage && { Entrypoint: [] }) }),
    ...(entrypoint.length > 0 && { Entrypoint: [...entrypoint] }),
    ...(user && { User: user }),
    ...(workingDir && { WorkingDir: workingDir }),
    Env: Object.entries(spec.env).map(([key, value]) => `${key}=${value}`),
    Labels: {
      [LABEL.installation]: settings.installation,
      [LABEL.workspace]: settings.workspace,
      [LABEL.workload]: spec.id,
      [LABEL.owner]: settings.owner,
      [LABEL.cpu]: String(spec.size.cpu),
      [LABEL.memory]: String(spec.size.memory),
      [LABEL.storage]: String(spec.size.storage),
      [LABEL.disk]: settings.storage,
      [LABEL.image]: spec.image ?? '',
      [LABEL.specHash]: specHashOf(spec),
      [LABEL.kernel]: settings.ownKernel ? 'own' : 'shared',
    },
    ExposedPorts: Object.fromEntries(spec.ports.map((port) => [`${port}/tcp`, {}])),
    HostConfig: {
      ...limits(spec.size, settings.ownKernel ? SANDBOX_PIDS : PIDS),
      CapAdd: settings.rawSockets ? [...CAPABILITIES, 'NET_RAW'] : CAPABILITIES,
      // Every user in the container may use ping.
      Sysctls: { 'net.ipv4.ping_group_range': '0 2147483647' },
      // The server restarts programs, with a delay and a count.
      RestartPolicy: { Name: 'no' },
      NetworkMode: settings.network ?? 'none',
      PortBindings: Object.fromEntries(
        ports.map((port) => [`${port}/tcp`, [{ HostIp: settings.publish, HostPort: '' }]]),
      ),
      Mounts: settings.disks.map(({ kind, source, target }) => ({ Type: kind, Source: source, Target: target })),
    },
    ...(settings.network && {
      NetworkingConfig: { EndpointsConfig: { [settings.network]: { Aliases: [spec.name] } } },
    }),
  }
}

export const nameOf = (installation: string, id: string): string => `tidenet-${installation}-${id}`
export const networkOf = (installation: string, workspace: string): string => `tidenet-${installation}-${workspace}`
export const snapshotOf = (installation: string, workload: string): { repo: string; tag: string; name: string } => {
  const repo = `localhost/tidenet-snapshot-${installation}`
  return { repo, tag: workload, name: `${repo}:${workload}` }
}
export const digestOf = (installation: string, workspace: string): string =>
  createHash('sha256').update(`${installation} ${workspace}`).digest('hex')

/** Exit codes of success, SIGINT and SIGTERM. */
const NORMAL_EXITS = new Set([0, 130, 143])

/** The state of a program that ended. */
export const stateAfter = (exitCode: number): 'stopped' | 'failed' =>
  NORMAL_EXITS.has(exitCode) ? 'stopped' : 'failed'

function stateName(
  { Status, Running, Restarting, Error: error }: Docker.ContainerInspectInfo['State'],
  failed: boolean | '' | undefined,
): WorkloadState['state'] {
  // Reported by Podman; Docker reports a stopping container as running.
  if (Status === 'stopping') return 'stopping'
  if (Restarting) return 'starting'
  if (Running) return 'running'
  return failed || error ? 'failed' : 'stopped'
}

/** The state of a workload, from its container. */
export function stateOf({ Config, HostConfig, State, NetworkSettings }: Docker.ContainerInspectInfo): WorkloadState {
  const labels = Config.Labels
  const ran = State.StartedAt && !State.StartedAt.startsWith('0001')
  const running = State.Running && !State.Restarting
  const failed = !running && ran && stateAfter(State.ExitCode) === 'failed'
  return {
    workspace: labels[LABEL.workspace] ?? '',
    workload: labels[LABEL.workload] ?? '',
    state: stateName(State, failed),
    // Limits can be updated after creation, labels cannot.
    size: {
      cpu: HostConfig.NanoCpus ? HostConfig.NanoCpus / 1e9 : Number(labels[LABEL.cpu]),
      memory: HostConfig.Memory ?? Number(labels[LABEL.memory]),
      storage: Number(labels[LABEL.storage]),
    },
    ...(ran && !running && { exitCode: State.ExitCode }),
    ...(State.OOMKilled && !running && { outOfMemory: true }),
    ...(ran && { startedAt: new Date(State.StartedAt) }),
    ...(State.Error && { reason: State.Error }),
    published: Object.entries(NetworkSettings.Ports ?? {}).flatMap(([port, bindings]) =>
      (bindings ?? []).map(({ HostIp, HostPort }) => ({
        port: Number.parseInt(port, 10),
        address: `${HostIp.includes(':') ? `[${HostIp}]` : HostIp}:${HostPort}`,
      })),
    ),
    ...(labels[LABEL.specHash] && { specHash: labels[LABEL.specHash] }),
    storage: labels[LABEL.disk] === 'enforced' ? 'enforced' : 'metered',
    kernel: labels[LABEL.kernel] === 'own' ? 'own' : 'shared',
  }
}
