import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type Docker from 'dockerode'
import { askedOf, type Size, type WorkloadSpec, type WorkloadState } from '../driver.ts'
import type { Source } from './disks.ts'

/** What our containers, networks and disks are known by to the engine. */
export const LABEL = {
  installation: 'tidenet.installation',
  workspace: 'tidenet.workspace',
  workload: 'tidenet.workload',
  owner: 'tidenet.owner',
  cpu: 'tidenet.cpu',
  memory: 'tidenet.memory',
  storage: 'tidenet.storage',
  disk: 'tidenet.disk',
  image: 'tidenet.image',
  asked: 'tidenet.asked',
} as const

/** Enough for installing packages and for programs that lower themselves to another account; what reaches out of a container is not among them. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID', 'KILL', 'NET_BIND_SERVICE']
const PIDS = 256
/** Where a workload's own disk is. */
export const DISK = '/data'
/** Waits, and ends at once when asked to. */
const WAIT = ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done']

/** What every container of ours is kept within, also the one that tries the engine out. */
export function bounds({ cpu, memory }: Pick<Size, 'cpu' | 'memory'>, pids = PIDS): Docker.HostConfig {
  return {
    Init: true,
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    NanoCpus: Math.round(cpu * 1e9),
    Memory: memory,
    // The same: no swap, which would be memory that nobody bought.
    MemorySwap: memory,
    PidsLimit: pids,
    // Always given: what some engines ask for by themselves is more than they may have.
    Ulimits: ulimits(),
    // Kept by the engine in files of at most so many bytes.
    LogConfig: { Type: 'json-file', Config: { 'max-size': '5m' } },
  }
}

let known: Docker.Ulimit[] | undefined

/** As many files as usual, where this process itself may have them: an engine beside us can give no more than we have. */
function ulimits(): Docker.Ulimit[] {
  // Podman gives itself no more than this many.
  const processes = Math.min(32_768, hard('Max processes'))
  known ??= [
    { Name: 'nofile', Soft: Math.min(1024, hard('Max open files')), Hard: Math.min(65_536, hard('Max open files')) },
    // Counted over all containers of the same account: bounding it would let tenants block each other. The limit of processes bounds.
    { Name: 'nproc', Soft: processes, Hard: processes },
  ]
  return known
}

function hard(name: string): number {
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

export interface Placement {
  installation: string
  workspace: string
  owner: string
  image: string
  /** Whether the image is the cluster's own. */
  own: boolean
  /** Whether the disk refuses what is too much. */
  storage: 'enforced' | 'metered'
  /** The parts of its disk, and where each is seen. */
  disks: readonly (Source & { target: string })[]
  /** The workspace's network; undefined: none. */
  network: string | undefined
  /** The address at which ports are published; empty: they are not. */
  publish: string
  /** Whether programs may make packets of their own, which some programs need that ask whether another machine is there. */
  packets: boolean
}

/** How a workload is asked of the engine. Labels are all set, so that none of the image's own stands in for one. */
export function containerOf(spec: WorkloadSpec, place: Placement): Docker.ContainerCreateOptions {
  const ports = place.network && place.publish !== '' ? spec.ports : []
  const command = spec.command.length > 0 ? [...spec.command] : place.own ? WAIT : undefined
  return {
    name: nameOf(place.installation, spec.id),
    Hostname: spec.name,
    Image: place.image,
    // The image's own entry point would take the command for its arguments.
    ...(command && { Cmd: command, ...(place.own && { Entrypoint: [] }) }),
    Env: Object.entries(spec.env).map(([key, value]) => `${key}=${value}`),
    Labels: {
      [LABEL.installation]: place.installation,
      [LABEL.workspace]: place.workspace,
      [LABEL.workload]: spec.id,
      [LABEL.owner]: place.owner,
      [LABEL.cpu]: String(spec.size.cpu),
      [LABEL.memory]: String(spec.size.memory),
      [LABEL.storage]: String(spec.size.storage),
      [LABEL.disk]: place.storage,
      [LABEL.image]: spec.image ?? '',
      [LABEL.asked]: askedOf(spec),
    },
    ExposedPorts: Object.fromEntries(spec.ports.map((port) => [`${port}/tcp`, {}])),
    HostConfig: {
      ...bounds(spec.size),
      CapAdd: place.packets ? [...CAPABILITIES, 'NET_RAW'] : CAPABILITIES,
      // Everybody in it may ask whether another machine is there.
      Sysctls: { 'net.ipv4.ping_group_range': '0 2147483647' },
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 5 },
      NetworkMode: place.network ?? 'none',
      PortBindings: Object.fromEntries(ports.map((port) => [`${port}/tcp`, [{ HostIp: place.publish, HostPort: '' }]])),
      Mounts: place.disks.map(({ kind, source, target }) => ({ Type: kind, Source: source, Target: target })),
    },
    ...(place.network && {
      NetworkingConfig: { EndpointsConfig: { [place.network]: { Aliases: [spec.name] } } },
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

/** Ended because it was asked to. */
const ASKED = new Set([0, 130, 143])

function wordOf(
  { Status, Running, Restarting, Error: error }: Docker.ContainerInspectInfo['State'],
  failed: boolean | '' | undefined,
): WorkloadState['state'] {
  // Podman says so; to Docker it runs until it has ended.
  if (Status === 'stopping') return 'stopping'
  if (Restarting) return 'starting'
  if (Running) return 'running'
  return failed || error ? 'failed' : 'stopped'
}

/** What the engine says of a container of ours. */
export function stateOf({ Config, HostConfig, State, NetworkSettings }: Docker.ContainerInspectInfo): WorkloadState {
  const labels = Config.Labels
  const ran = State.StartedAt && !State.StartedAt.startsWith('0001')
  const running = State.Running && !State.Restarting
  const failed = !running && ran && !ASKED.has(State.ExitCode)
  return {
    workspace: labels[LABEL.workspace] ?? '',
    workload: labels[LABEL.workload] ?? '',
    state: wordOf(State, failed),
    // What holds is what the engine was told last, which a label does not follow.
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
    ...(labels[LABEL.asked] && { asked: labels[LABEL.asked] }),
    storage: labels[LABEL.disk] === 'enforced' ? 'enforced' : 'metered',
  }
}
