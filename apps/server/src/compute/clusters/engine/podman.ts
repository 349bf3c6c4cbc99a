import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createKeyedMutex } from '@tidenet/daemon'
import Docker from 'dockerode'
import { type Connection, greet } from './greet.ts'
import { quietly } from './quietly.ts'
import { run } from './run.ts'
import { hasBothCgroups } from './runtimes.ts'
import { closedFilter, type Filter } from './seccomp.ts'

/** The longest socket path that every system accepts. */
const SOCKET_PATH_MAX = 100
const FILTERS = ['/etc/containers/seccomp.json', '/usr/share/containers/seccomp.json']
/** Seconds for which Podman knows the exit code of a program. */
const EXIT_KEPT = 5
const START_WITHIN = 15_000
const END_WITHIN = 5000
const LOOK_AGAIN = 50
const FILTER = 'seccomp.json'
/** Users of our service in this process, by socket. */
const users = new Map<string, Set<object>>()

/** Starts and stops in progress, by socket: one at a time, so that nothing is started twice. */
const inTurn = createKeyedMutex()

/**
 * Podman needs no daemon: we run its API service over our own storage. A service that a killed server left behind is replaced, because it may
 * depend on resources of that server. Containers are not affected.
 * @param runtime the OCI runtime; empty: Podman's default
 */
export async function startPodman(data: string, user: object, runtime: string): Promise<Connection> {
  await run('podman', ['--version']).catch(() => {
    throw new Error('not installed')
  })
  const folder = join(data, 'podman')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const socket = join(folder, 'engine.sock').length <= SOCKET_PATH_MAX ? join(folder, 'engine.sock') : shortPath(folder)
  const present = users.get(socket) ?? new Set()
  users.set(socket, present.add(user))
  const close = () =>
    inTurn(socket, async () => {
      if (present.delete(user) && present.size === 0) await end(folder, socket)
    })
  return inTurn(socket, async () => {
    if (existsSync(socket)) {
      const { owner, started } = noted(folder)
      const own = owner === process.pid
      const filtered = existsSync(join(folder, FILTER))
      if (own || (owner > 0 && startOf(owner) === started)) {
        const asked = own ? { close, filtered } : { filtered }
        const connection = await greet(new Docker({ socketPath: socket }), asked).catch(() => undefined)
        if (connection) return connection
      }
      await end(folder, socket)
    }
    return serve(folder, socket, { runtime, close })
  })
}

const noteIn = (folder: string) => join(folder, 'engine.pid')

/** Process ids of the service and of its owner, with the owner's start time, because process ids are reused. */
function noted(folder: string): { service: number; owner: number; started: string } {
  const [service, owner, started = ''] = (quietly(() => readFileSync(noteIn(folder), 'utf8')) ?? '').split(' ')
  return { service: Number(service) || 0, owner: Number(owner) || 0, started }
}

/** Start time of a process in kernel ticks; empty if there is none. */
function startOf(pid: number): string {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? ''
  // The process name may contain parentheses.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? '' : (rest[18] ?? '')
}

/** Stops the service, by SIGKILL if needed. */
async function end(folder: string, socket: string): Promise<void> {
  const { service } = noted(folder)
  if (service > 1 && isOurs(service, socket)) {
    quietly(() => process.kill(service, 'SIGTERM'))
    // Wait for its end: it removes its socket, which could be that of the next service.
    const deadline = performance.now() + END_WITHIN
    while (isOurs(service, socket)) {
      if (performance.now() > deadline) quietly(() => process.kill(service, 'SIGKILL'))
      await wait(LOOK_AGAIN)
    }
  }
  rmSync(noteIn(folder), { force: true })
  rmSync(socket, { force: true })
  // Podman leaves a bind mount of its storage; while something runs the unmount fails, as it should.
  await run('umount', [join(folder, 'storage/overlay')]).catch(() => {})
}

async function serve(
  folder: string,
  socket: string,
  { runtime, close }: { runtime: string; close(): Promise<void> },
): Promise<Connection> {
  const settings = join(folder, 'containers.conf')
  const filter = writeFilter(folder)
  writeFileSync(settings, settingsOf(folder, filter))
  const log = join(folder, 'engine.log')
  // To a file: after this process ends, a write to its pipe would end the service.
  const output = openSync(log, 'w', 0o600)
  const child = spawn(
    'podman',
    [
      ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--log-level', 'fatal'],
      ...(runtime === '' ? [] : ['--runtime', runtime]),
      ...(hasBothCgroups() || !existsSync('/run/systemd/system') ? ['--cgroup-manager', 'cgroupfs'] : []),
      ...['system', 'service', '--time=0', `unix://${socket}`],
    ],
    // Its helpers write files to their working folder.
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', output],
      detached: true,
      env: { ...process.env, CONTAINERS_CONF: settings },
    },
  )
  closeSync(output)
  child.on('error', () => {})
  child.unref()
  if (child.pid) writeFileSync(noteIn(folder), `${child.pid} ${process.pid} ${startOf(process.pid)}`)
  const complaint = () => (quietly(() => readFileSync(log, 'utf8')) ?? '').trim()
  for (const deadline = performance.now() + START_WITHIN; performance.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`its service ended: ${complaint().split('\n').at(-1) ?? ''}`)
    if (existsSync(socket)) {
      const asked = { close, filtered: filter !== undefined }
      const connection = await greet(new Docker({ socketPath: socket }), asked).catch(() => undefined)
      if (connection) return connection
    }
    await wait(LOOK_AGAIN)
  }
  await end(folder, socket)
  throw new Error(`its service did not start: ${complaint()}`)
}

/**
 * Separates our Podman from the machine's own: networks are stored with our data and use another address range, because neither instance
 * sees the networks of the other. Exec sessions end after seconds, not minutes.
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

/** Podman's seccomp profile with more calls blocked; undefined if it is not found. */
function writeFilter(folder: string): string | undefined {
  const usual = FILTERS.map((path) => quietly(() => JSON.parse(readFileSync(path, 'utf8')) as Filter)).find(Boolean)
  if (!usual) return undefined
  const path = join(folder, FILTER)
  writeFileSync(path, JSON.stringify(closedFilter(usual)))
  return path
}

/**
 * Used if the folder's path is too long for a socket. Everyone can write to the temporary folder, so a folder there is used only if it is ours alone.
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
