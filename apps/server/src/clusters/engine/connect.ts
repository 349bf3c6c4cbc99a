import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { type Candidate, candidates, type Surroundings } from './candidates.ts'
import { run } from './run.ts'
import { closedFilter, type Filter } from './seccomp.ts'

export interface Connection {
  docker: Docker
  /** Name and version. */
  name: string
  podman: boolean
  close(): Promise<void>
}

const ANSWER_WITHIN = 5000
const START_WITHIN = 15_000
/** Seconds in which it can be asked how a program ended. */
const EXIT_KEPT = 5
const FILTERS = ['/etc/containers/seccomp.json', '/usr/share/containers/seccomp.json']
/** The longest path of a socket that every system takes. */
const SOCKET_PATH_MAX = 100

/** Where to look on this machine, in order. */
export function placesOfEngines(setting: string): Candidate[] {
  const around: Surroundings = {
    env: process.env,
    home: homedir(),
    platform: process.platform,
    read: (path) => quietly(() => readFileSync(path, 'utf8')),
    names: (path) => quietly(() => readdirSync(path)) ?? [],
  }
  return candidates(setting, around)
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/**
 * @param user whoever asks; what was started for several ends with the last of them
 * @throws Error that says why nothing answers there
 */
export async function connect(candidate: Candidate, data: string, user: object = {}): Promise<Connection> {
  switch (candidate.kind) {
    case 'refused':
      throw new Error(candidate.why)
    case 'tcp':
      return greet(new Docker({ protocol: 'http', host: candidate.host, port: candidate.port }))
    case 'socket':
      if (!candidate.path.startsWith('//') && !existsSync(candidate.path)) throw new Error('no such socket')
      return greet(new Docker({ socketPath: candidate.path }))
    case 'podman':
      return startPodman(data, user)
  }
}

async function greet(docker: Docker, close = async () => {}): Promise<Connection> {
  const version = await within(ANSWER_WITHIN, docker.version()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') throw new Error('nothing listens there')
    if (error.code === 'EACCES') throw new Error('this account may not use it')
    throw error
  })
  const podman = version.Components?.some(({ Name }) => /podman/i.test(Name)) ?? false
  return { docker, name: `${podman ? 'Podman' : 'Docker'} ${version.Version}`, podman, close }
}

/** What did not answer in time is as good as absent. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** By socket, who uses a service of ours in this process. */
const users = new Map<string, Set<object>>()

/**
 * Podman needs no daemon; its API is served by a process of ours, over storage of our own. One that a killed server left behind is
 * taken over.
 */
async function startPodman(data: string, user: object): Promise<Connection> {
  await run('podman', ['--version']).catch(() => {
    throw new Error('not installed')
  })
  const folder = join(data, 'podman')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const socket = join(folder, 'engine.sock').length <= SOCKET_PATH_MAX ? join(folder, 'engine.sock') : shortPath(folder)
  // The process that serves, and the one that started it and ends it.
  const note = join(folder, 'engine.pid')
  const noted = () => (quietly(() => readFileSync(note, 'utf8')) ?? '').split(' ').map(Number)
  const stop = async () => {
    const [pid = 0] = noted()
    if (pid > 1 && isOurs(pid, socket)) process.kill(pid, 'SIGTERM')
    rmSync(note, { force: true })
    rmSync(socket, { force: true })
    // It mounts its storage onto itself and leaves it so; where something still runs it cannot be taken away, nor should it.
    await run('umount', [join(folder, 'storage/overlay')]).catch(() => {})
  }
  const present = users.get(socket) ?? new Set()
  users.set(socket, present.add(user))
  const leave = async () => {
    if (present.delete(user) && present.size === 0) await stop()
  }
  if (existsSync(socket)) {
    const [pid = 0, owner = 0] = noted()
    const ours = owner === process.pid || !existsSync(`/proc/${owner}`)
    const connection = await greet(new Docker({ socketPath: socket }), ours ? leave : undefined).catch(() => undefined)
    if (connection && ours) writeFileSync(note, `${pid} ${process.pid}`)
    if (connection) return connection
    await stop()
  }
  const settings = join(folder, 'containers.conf')
  writeFileSync(settings, settingsOf(folder, writeFilter(folder)))
  const child = spawn(
    'podman',
    [
      ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')],
      ...runtimeFlags(),
      ...['system', 'service', '--time=0', `unix://${socket}`],
    ],
    // Its helpers leave notes where they are started.
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, CONTAINERS_CONF: settings },
    },
  )
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  child.on('error', () => {})
  child.unref()
  ;(child.stderr as unknown as { unref(): void }).unref()
  if (child.pid) writeFileSync(note, `${child.pid} ${process.pid}`)
  for (const end = Date.now() + START_WITHIN; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`its service ended: ${complaint.trim().split('\n').at(-1) ?? ''}`)
    if (existsSync(socket)) {
      const connection = await greet(new Docker({ socketPath: socket }), leave).catch(() => undefined)
      if (connection) return connection
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await stop()
  throw new Error(`its service did not start: ${complaint.trim()}`)
}

/**
 * What Podman would otherwise share with the machine's own: networks lie with the rest, and go with it. They are taken from a range of
 * their own, since neither sees those of the other. What runs a program in a container stays seconds after it, not minutes.
 */
function settingsOf(folder: string, filter: string | undefined): string {
  const range = 192 + ((createHash('sha256').update(folder).digest()[0] as number) % 64)
  return `[containers]
${filter ? `seccomp_profile = ${JSON.stringify(filter)}` : ''}
[engine]
exit_command_delay = ${EXIT_KEPT}
[network]
network_config_dir = ${JSON.stringify(join(folder, 'networks'))}
default_subnet_pools = [{ "base" = "10.${range}.0.0/16", "size" = 24 }]
`
}

/** Podman's own filter of calls, with more of them closed; undefined where it is not found. */
function writeFilter(folder: string): string | undefined {
  const usual = FILTERS.map((path) => quietly(() => JSON.parse(readFileSync(path, 'utf8')) as Filter)).find(Boolean)
  if (!usual) return undefined
  const path = join(folder, 'seccomp.json')
  writeFileSync(path, JSON.stringify(closedFilter(usual)))
  return path
}

/**
 * Where the folder's own path is too long for a socket. Everybody may write in the folder for temporary files: what lies there counts only
 * when it is ours alone.
 */
function shortPath(folder: string): string {
  const own = join(tmpdir(), `tidenet-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const found = lstatSync(own)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${own} is not ours alone`)
  return join(own, 'engine.sock')
}

const isOurs = (pid: number, socket: string): boolean =>
  quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes(socket) ?? false

/** The usual runtime refuses machines with both generations of cgroups, and the usual manager of cgroups those without systemd. */
function runtimeFlags(): string[] {
  const both = (quietly(() => readFileSync('/sys/fs/cgroup/unified/cgroup.controllers', 'utf8')) ?? '').trim() !== ''
  if (both) return ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
  return existsSync('/run/systemd/system') ? [] : ['--cgroup-manager', 'cgroupfs']
}
