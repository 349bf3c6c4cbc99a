import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '@tidenet/daemon/start-error'
import { type Binaries, copyBinaries } from './postgres-binaries.ts'

/** The account that runs PostgreSQL, and the cluster's folder. PostgreSQL refuses to run as root. */
export interface Account {
  readonly binaries: Binaries
  /** The cluster's folder, without symbolic links. */
  readonly cluster: string
  /** Ids of the account; undefined for the current one. */
  readonly user: Ids | undefined
  /** Owner of the cluster's files. */
  readonly owner: Ids
  /** Wraps `command` to run as this account. */
  readonly command: (command: readonly string[]) => string[]
}

interface Ids {
  readonly uid: number
  readonly gid: number
}

/** Where root stores files that the unprivileged account must reach; survives reboots. */
export const SHARED_FOLDER = '/var/lib/tidenet'

/**
 * Chooses the account for the cluster at `<dataDir>/postgres`.
 * - A normal user runs it directly.
 * - Root runs it as `postgres`, or as nobody. If that account cannot reach the programs or the data (below a 0700 home), root maps itself
 * to it in a user namespace. If that is forbidden, the files are stored below /var/lib/tidenet, and a message says so.
 * @throws StartError if none of these is possible
 */
export function chooseAccount(dataDir: string, binaries: Binaries, log: (line: string) => void): Account {
  const link = join(dataDir, 'postgres')
  const cluster = linkTarget(link) ?? join(realpathSync(dataDir), 'postgres')
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const asIs = (command: readonly string[]) => [...command]
  if (self.uid !== 0) return { binaries, cluster, user: undefined, owner: self, command: asIs }

  const user = unprivilegedUser()
  const reachesBinaries = canReach(user, binaries.root, binaries.postgres)
  const reachesData = canReach(user, dirname(cluster))
  if (reachesBinaries && reachesData) return { binaries, cluster, user, owner: user, command: asIs }

  const enter = ['unshare', '-U', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--']
  if (runs([...enter, binaries.postgres, '--version'])) {
    return { binaries, cluster, user: undefined, owner: self, command: (command) => [...enter, ...command] }
  }

  const kept = reachesData ? cluster : createSharedCluster(cluster, link)
  const programs = reachesBinaries ? binaries : copyBinaries(binaries, SHARED_FOLDER)
  if (!canReach(user, dirname(kept), programs.postgres)) {
    throw new StartError(
      'PostgreSQL does not run as root, and no other account can be used here. Start Tidenet as a plain user, or set ' +
        'DATABASE_URL to a PostgreSQL server of your own.',
    )
  }
  log(
    `PostgreSQL does not run as root, and its account (uid ${user.uid}) cannot read below ${dataDir}: ` +
      `${reachesData ? 'its programs were copied' : 'the database is kept'} below ${SHARED_FOLDER}.`,
  )
  return { binaries: programs, cluster: kept, user, owner: user, command: asIs }
}

/** Changes the owner of the cluster's files if another account ran it before. */
export function chownCluster({ owner, cluster }: Pick<Account, 'owner' | 'cluster'>): void {
  const { uid } = lstatSync(cluster)
  if (process.getuid?.() !== 0 || uid === owner.uid) return
  const give = (path: string) => {
    const stat = lstatSync(path)
    if (stat.isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
    if (!stat.isSymbolicLink()) chownSync(path, owner.uid, owner.gid)
  }
  give(cluster)
}

/** Creates a folder that the unprivileged account can reach; `<dataDir>/postgres` becomes a link to it. */
function createSharedCluster(cluster: string, link: string): string {
  if (existsSync(link)) {
    throw new StartError(
      `PostgreSQL does not run as root, and its account cannot read ${cluster}. Make the folders above it passable ` +
        '(chmod o+x), move the data folder (TIDENET_DATA), or start Tidenet as a plain user.',
    )
  }
  // A random name: after a data folder was deleted manually, the next one must not find the old cluster, whose password is gone.
  const outside = join(SHARED_FOLDER, randomBytes(8).toString('hex'), 'postgres')
  mkdirSync(dirname(outside), { recursive: true, mode: 0o755 })
  symlinkSync(outside, link)
  return outside
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The postgres account if it exists, else nobody, else the last one listed: PostgreSQL refuses a uid without a name. */
function unprivilegedUser(): Ids {
  const accounts = new Map<string, Ids>()
  let last: Ids | undefined
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (!name || !Number(uid)) continue
    last = { uid: Number(uid), gid: Number(gid) }
    accounts.set(name, last)
  }
  const user = accounts.get('postgres') ?? accounts.get('nobody') ?? last
  if (!user) throw new StartError('PostgreSQL does not run as root, and this system has no other account.')
  return user
}

/** Whether the account can enter `folder` and run `program` there. */
function canReach(user: Ids, folder: string, program?: string): boolean {
  const script = program ? 'cd "$1" && "$2" --version' : 'cd "$1"'
  return runs(['sh', '-c', script, 'sh', folder, program ?? ''], user)
}

function runs([program = '', ...args]: readonly string[], user?: Ids): boolean {
  const { status } = spawnSync(program, args, { ...user, cwd: '/', stdio: 'ignore', timeout: 5_000 })
  return status === 0
}
