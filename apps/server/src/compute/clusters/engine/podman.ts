import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createKeyedMutex } from '@tidenet/daemon'
import Docker from 'dockerode'
import { type Connection, openConnection } from './connection.ts'
import { run } from './run.ts'
import { hasBothCgroups, pathOf, SANDBOX } from './runtimes.ts'
import { closedFilter, type Filter } from './seccomp.ts'
import { tryOrUndefined } from './try-or-undefined.ts'

/** The longest socket path that every system accepts. */
const SOCKET_PATH_MAX = 100
const FILTERS = ['/etc/containers/seccomp.json', '/usr/share/containers/seccomp.json']
/** Seconds for which Podman knows the exit code of a program. */
const EXIT_KEPT = 5
const START_TIMEOUT_MS = 15_000
const STOP_TIMEOUT_MS = 5000
const POLL_INTERVAL_MS = 50
const FILTER = 'seccomp.json'
/** Users of our service in this process, by socket. */
const users = new Map<string, Set<object>>()

/** Starts and stops in progress, by socket: one at a time, so that nothing is started twice. */
const locked = createKeyedMutex()

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
  const socket =
    join(folder, 'engine.sock').length <= SOCKET_PATH_MAX ? join(folder, 'engine.sock') : shortSocketPath(folder)
  const present = users.get(socket) ?? new Set()
  users.set(socket, present.add(user))
  const close = () =>
    locked(socket, async () => {
      if (present.delete(user) && present.size === 0) await stopService(folder, socket)
    })
  return locked(socket, async () => {
    if (existsSync(socket)) {
      const { owner, started } = readPidFile(folder)
      const own = owner === process.pid
      const filtered = existsSync(join(folder, FILTER))
      if (own || (owner > 0 && startTimeOf(owner) === started)) {
        const options = own ? { close, filtered } : { filtered }
        const connection = await openConnection(new Docker({ socketPath: socket }), options).catch(() => undefined)
        if (connection) return connection
      }
      await stopService(folder, socket)
    }
    return startService(folder, socket, { runtime, close })
  })
}

const pidFile = (folder: string) => join(folder, 'engine.pid')

/** Process ids of the service and of its owner, with the owner's start time, because process ids are reused. */
function readPidFile(folder: string): { service: number; owner: number; started: string } {
  const [service, owner, started = ''] = (tryOrUndefined(() => readFileSync(pidFile(folder), 'utf8')) ?? '').split(' ')
  return { service: Number(service) || 0, owner: Number(owner) || 0, started }
}

/** Start time of a process in kernel ticks; empty if there is none. */
function startTimeOf(pid: number): string {
  const stat = tryOrUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? ''
  // The process name may contain parentheses.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? '' : (rest[18] ?? '')
}

/** Stops the service, by SIGKILL if needed. */
async function stopService(folder: string, socket: string): Promise<void> {
  const { service } = readPidFile(folder)
  if (service > 1 && isOurs(service, socket)) {
    tryOrUndefined(() => process.kill(service, 'SIGTERM'))
    // Wait for its end: it removes its socket, which could be that of the next service.
    const deadline = performance.now() + STOP_TIMEOUT_MS
    while (isOurs(service, socket)) {
      if (performance.now() > deadline) tryOrUndefined(() => process.kill(service, 'SIGKILL'))
      await wait(POLL_INTERVAL_MS)
    }
  }
  rmSync(pidFile(folder), { force: true })
  rmSync(socket, { force: true })
  // Podman leaves a bind mount of its storage; while something runs the unmount fails, as it should.
  await run('umount', [join(folder, 'storage/overlay')]).catch(() => {})
}

async function startService(
  folder: string,
  socket: string,
  { runtime, close }: { runtime: string; close(): Promise<void> },
): Promise<Connection> {
  const settings = join(folder, 'containers.conf')
  const filter = writeFilter(folder)
  writeFileSync(settings, containersConf(folder, filter))
  const log = join(folder, 'engine.log')
  // To a file: after this process ends, a write to its pipe would end the service.
  const output = openSync(log, 'w', 0o600)
  const child = spawn(
    'podman',
    [
      ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--log-level', 'fatal'],
      ...(runtime === '' ? [] : ['--runtime', runtime === SANDBOX ? writeSandbox(folder) : runtime]),
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
  if (child.pid) writeFileSync(pidFile(folder), `${child.pid} ${process.pid} ${startTimeOf(process.pid)}`)
  const readLog = () => (tryOrUndefined(() => readFileSync(log, 'utf8')) ?? '').trim()
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`its service ended: ${readLog().split('\n').at(-1) ?? ''}`)
    if (existsSync(socket)) {
      const options = { close, filtered: filter !== undefined }
      const connection = await openConnection(new Docker({ socketPath: socket }), options).catch(() => undefined)
      if (connection) return connection
    }
    await wait(POLL_INTERVAL_MS)
  }
  await stopService(folder, socket)
  throw new Error(`its service did not start: ${readLog()}`)
}

/**
 * Separates our Podman from the machine's own: networks are stored with our data and use another address range, because neither instance
 * sees the networks of the other. Exec sessions end after seconds, not minutes.
 */
function containersConf(folder: string, filter: string | undefined): string {
  return `[containers]
${filter ? `seccomp_profile = ${JSON.stringify(filter)}` : ''}
[engine]
exit_command_delay = ${EXIT_KEPT}
[network]
network_config_dir = ${JSON.stringify(join(folder, 'networks'))}
default_subnet_pools = [{ "base" = "10.${addressRange(folder)}.0.0/16", "size" = 24 }]
`
}

/** Second byte of the IPv4 addresses of our networks. */
export const addressRange = (folder: string): number =>
  192 + ((createHash('sha256').update(folder).digest()[0] as number) % 64)

/**
 * A program that runs gVisor's runtime as Podman expects it. Podman asks for a terminal by an argument that only runc has; changes of file
 * systems must be where Podman and we look for them, not in an overlay of the sandbox. Raw sockets are for `ping`, as with other runtimes.
 */
function writeSandbox(folder: string): string {
  const path = join(folder, SANDBOX)
  const script = `#!/bin/sh
left=$#
while [ "$left" -gt 0 ]; do
  argument=$1
  shift
  left=$((left - 1))
  [ "$argument" = --tty ] || set -- "$@" "$argument"
done
exec '${pathOf(SANDBOX) ?? SANDBOX}' --overlay2=none --net-raw "$@"
`
  writeFileSync(path, script, { mode: 0o700 })
  return path
}

/** Podman's seccomp profile with more calls blocked; undefined if it is not found. */
function writeFilter(folder: string): string | undefined {
  const usual = FILTERS.map((path) => tryOrUndefined(() => JSON.parse(readFileSync(path, 'utf8')) as Filter)).find(
    Boolean,
  )
  if (!usual) return undefined
  const path = join(folder, FILTER)
  writeFileSync(path, JSON.stringify(closedFilter(usual)))
  return path
}

/**
 * Used if the folder's path is too long for a socket. Everyone can write to the temporary folder, so a folder there is used only if it is ours alone.
 */
function shortSocketPath(folder: string): string {
  const own = join(tmpdir(), `tidenet-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const found = lstatSync(own)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${own} is not ours alone`)
  return join(own, 'engine.sock')
}

const isOurs = (pid: number, socket: string): boolean =>
  tryOrUndefined(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes(socket) ?? false
