import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, closeSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@tidenet/daemon/start-error'
import pg from 'pg'
import { makeDataFolder } from './data-folder.ts'
import { lockData } from './data-lock.ts'
import { appendLog } from './log-file.ts'
import { freePort, isFree } from './ports.ts'
import { type Account, chooseAccount, chownCluster } from './postgres-account.ts'
import { findBinaries } from './postgres-binaries.ts'
import { isReady, postmasterPid, stopLeftovers } from './postgres-leftovers.ts'
import { signal, until } from './process-identity.ts'

export interface PostgresOptions {
  /** Folder with the cluster in `postgres`, the password in `secrets/postgres`, the log in `logs/postgres.log`. */
  readonly dataDir: string
  /** TCP port on 127.0.0.1. Default: any free one. */
  readonly port?: number
  /** More settings, such as `{ fsync: 'off' }` for a temporary database. */
  readonly settings?: Readonly<Record<string, string>>
  /** Receives messages for the user. Default: none. */
  readonly log?: (line: string) => void
}

export interface Postgres {
  /** URL of the database `tidenet`, with its owner's password; the owner may create databases. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Fast shutdown; resolves when the last process has exited. */
  stop(): Promise<void>
  /** Called once if the postmaster exits without `stop`. */
  onExit(callback: () => void): void
}

const USER = 'tidenet'
const START_LIMIT_MS = 30_000
/** Shared memory of a killed postmaster is released within a second or two; until then PostgreSQL refuses to start. */
const RETRY_LIMIT_MS = 8_000

/** Small, because the network shares a laptop with other programs. Safe: fsync and full page writes stay on. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  // The tables of a new network fill within seconds; until they are analysed, statements keep the plans for empty ones.
  autovacuum_naptime: '10s',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
}

/**
 * Starts PostgreSQL, creating its cluster the first time. It ends with this process, also if this process is killed.
 * @throws StartError if another process uses the data folder, the port is taken, or the account cannot run it
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const log = options.log ?? (() => {})
  const dataDir = resolve(options.dataDir)
  makeDataFolder(dataDir)
  const lock = await lockData(dataDir, 'postgres')
  try {
    const account = chooseAccount(dataDir, findBinaries(join(dataDir, 'programs')), log)
    await stopLeftovers(account.cluster, log)
    const logFile = join(dataDir, 'logs', 'postgres.log')
    const password = await prepareCluster(account, dataDir, logFile)
    const server = await launch(account, logFile, options)
    const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${server.port}/${database}`
    const running = supervise(server, url(USER), lock.release)
    await ensureDatabase(url('postgres')).catch(async (error: unknown) => {
      await running.stop()
      throw error
    })
    return running
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Server {
  readonly child: ChildProcess
  readonly pid: number
  readonly port: number
}

async function prepareCluster(account: Account, dataDir: string, logFile: string): Promise<string> {
  const { cluster, binaries } = account
  const passwordFile = join(dataDir, 'secrets', 'postgres')
  const versionFile = join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile)) {
    const password = existsSync(passwordFile) ? readPassword(passwordFile) : newPassword(passwordFile)
    await initialize(account, password, logFile)
    return password
  }
  const major = readFileSync(versionFile, 'utf8').trim()
  if (major !== binaries.version.split('.')[0]) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${major}, and this is ${binaries.version}. Dump it with version ` +
        `${major}, or set TIDENET_DATA to a new folder.`,
    )
  }
  if (!existsSync(passwordFile)) {
    throw new StartError(
      `The database's password is missing: put ${passwordFile} back, or remove ${cluster} to start anew.`,
    )
  }
  chownCluster(account)
  return readPassword(passwordFile)
}

function readPassword(file: string): string {
  return readFileSync(file, 'utf8').trim()
}

function newPassword(file: string): string {
  const password = randomBytes(24).toString('hex')
  const draft = `${file}.new`
  writeFileSync(draft, `${password}\n`, { mode: 0o600 })
  renameSync(draft, file)
  return password
}

/** Creates the cluster in a temporary folder and renames it, so that an interrupted start leaves no partial cluster. */
async function initialize(account: Account, password: string, logFile: string): Promise<void> {
  const draft = `${account.cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  if (process.getuid?.() === 0) chownSync(draft, account.owner.uid, account.owner.gid)
  const initdb = account.command([
    account.binaries.initdb,
    `--pgdata=${draft}`,
    `--username=${USER}`,
    '--auth=scram-sha-256',
    '--pwfile=/dev/stdin',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ])
  // The password goes through a pipe, never a file; `cat` gives it a path that initdb's account can open.
  const log = appendLog(logFile)
  const child = spawn('sh', ['-c', 'cat | "$@"', 'sh', ...initdb], {
    ...account.user,
    cwd: '/',
    stdio: ['pipe', log.fd, log.fd],
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.stdin?.end(`${password}\n`)
  const code = await exitCode(child)
  closeSync(log.fd)
  if (code !== 0) throw new StartError(`PostgreSQL's initdb failed; from ${logFile}:\n${log.tail()}`)
  renameSync(draft, account.cluster)
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [USER])
    if (rowCount === 0) await client.query(`create database ${USER}`)
  } finally {
    await client.end()
  }
}

async function launch(account: Account, logFile: string, options: PostgresOptions): Promise<Server> {
  if (options.port && !(await isFree(options.port))) {
    throw new StartError(`Port ${options.port}, which the database should use, is taken by another program.`)
  }
  const deadline = Date.now() + RETRY_LIMIT_MS
  for (;;) {
    const port = options.port || (await freePort())
    const log = appendLog(logFile)
    const stale = postmasterPid(account.cluster)
    const child = spawnWithParent(postmasterCommand(account, port, options.settings), account, log.fd)
    const own = child.pid
    closeSync(log.fd)
    let ended = false
    const end = exitCode(child).then(() => {
      ended = true
    })
    let pid: number | undefined
    await Promise.race([
      end,
      until(
        () => {
          // With the shell wrapper the postmaster's pid is not the child's; it only differs from the stale one.
          pid = isReady(account.cluster, (listed) => (hasParentDeathSignal() ? listed === own : listed !== stale))
          return pid !== undefined || ended
        },
        START_LIMIT_MS,
        10,
      ),
    ])
    if (pid !== undefined && !ended) return { child, pid, port }
    child.kill('SIGKILL')
    await end
    const said = log.tail()
    const passes = /lock file .* already exists|shared memory block .* is still in use|Address already in use/.test(
      said,
    )
    if (!passes || Date.now() > deadline) throw new StartError(`PostgreSQL did not start; from ${logFile}:\n${said}`)
    await sleep(100)
  }
}

function postmasterCommand(account: Account, port: number, settings: Readonly<Record<string, string>> = {}): string[] {
  const all = Object.entries({ ...SETTINGS, ...settings, port: String(port) })
  return [
    account.binaries.postgres,
    '-D',
    account.cluster,
    ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

let binding: boolean | undefined

/** Whether the system can kill a process together with its parent. */
function hasParentDeathSignal(): boolean {
  binding ??= spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0
  return binding
}

/** Otherwise a shell next to the postmaster waits for a pipe to close, which also happens when the parent dies. */
const WATCH_PARENT = `
"$@" 3<&- & pid=$!
{ read -r _ <&3; kill -INT "$pid"; } 2>/dev/null & watcher=$!
trap 'kill -INT "$pid"' INT TERM
trap 'kill -QUIT "$pid"' QUIT
while kill -0 "$pid" 2>/dev/null; do wait "$pid"; code=$?; done
kill "$watcher" 2>/dev/null
exit $code`

/** Spawns a child that gets SIGINT (fast shutdown) when this process dies. It has its own session, so Ctrl-C does not reach it. */
function spawnWithParent(command: readonly string[], account: Account, log: number): ChildProcess {
  const binds = hasParentDeathSignal()
  // Set the death signal last: changing the account clears it.
  const [program = '', ...args] = binds
    ? account.command(['setpriv', '--pdeathsig', 'INT', '--', ...command])
    : ['sh', '-c', WATCH_PARENT, 'sh', ...account.command(command)]
  const child = spawn(program, args, {
    ...account.user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log, binds ? 'ignore' : 'pipe'],
  })
  child.on('error', () => {})
  return child
}

function supervise({ child, pid, port }: Server, url: string, release: () => void): Postgres {
  let stopping: Promise<void> | undefined
  const callbacks: (() => void)[] = []
  const gone = exitCode(child).then(() => {
    release()
    if (!stopping) for (const callback of callbacks) callback()
  })
  const stop = async () => {
    signal(pid, 'SIGINT')
    const quit = setTimeout(() => signal(pid, 'SIGQUIT'), 5_000)
    const kill = setTimeout(() => signal(pid, 'SIGKILL'), 8_000)
    await gone
    clearTimeout(quit)
    clearTimeout(kill)
  }
  return {
    url,
    port,
    pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    onExit: (callback) => void callbacks.push(callback),
  }
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    if (child.pid === undefined) resolve(127)
    else if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? 128)
    else child.once('exit', (code) => resolve(code ?? 128))
  })
}
