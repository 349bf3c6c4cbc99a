import { connect, type Socket } from 'node:net'
import { isHostname } from '@tidenet/certificates'
import { Pool } from 'undici'
import { accountsOf, admits } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { findTarget, type TargetRow } from '../workspaces/addresses.ts'
import { findDomainTarget } from '../workspaces/domains.ts'
import { readLabel } from '../workspaces/labels.ts'

/** For how long the database is not asked again: shorter than anybody needs to notice a change. */
const FRESH_MS = 1000
const KNOWN_MAX = 10_000
const CONNECT_TIMEOUT_MS = 5000
/** Connections to one port of a program, and for how long they are kept open for the next request. */
const SOCKETS_MAX = 512
const IDLE_MS = 15_000

type Deps = Pick<Context, 'db' | 'clock' | 'clusters'>
/** The hashes of valid sessions of the console among these, hex, with the addresses that may use each (empty: all). */
export type FindValidSessions = (context: Deps, hashes: readonly Buffer[]) => Promise<Map<string, readonly string[]>>

export type Targets = ReturnType<typeof createTargets>

/** The program of an address. @param label of an address, or a domain of the owner */
export async function findAddress(db: Deps['db'], label: string): Promise<TargetRow | undefined> {
  if (label.includes('.')) return isHostname(label) ? findDomainTarget(db, label) : undefined
  const read = readLabel(label)
  return read && findTarget(db, read)
}

/** The programs that labels lead to, and connections to them. */
export function createTargets(context: Deps, findValidSessions: FindValidSessions) {
  const { db, clusters } = context
  const targets = remembering(async (label: string) => {
    const row = await findAddress(db, label)
    const owner = row && (await accountsOf(db, [row.user_id])).get(row.user_id)
    return owner && !owner.locked ? row : undefined
  })
  const sessions = remembering(async (hash: string) =>
    (await findValidSessions(context, [Buffer.from(hash, 'hex')])).get(hash),
  )
  /** One for each port of a program that somebody visits. */
  const pools = new Map<string, Pool>()

  /**
   * Asks the cluster for each new connection: an address from before may be that of another tenant now.
   * @param allowHalfOpen each side may end before the other
   */
  async function open({ workload, workspace, cluster, port }: TargetRow, allowHalfOpen = false): Promise<Socket> {
    const driver = clusters.of(cluster)?.driver
    if (!driver) throw new Error('the cluster is not configured')
    const address = await driver.addressOf({ workspace, workload }, port)
    const socket = connect({ ...address, noDelay: true, allowHalfOpen })
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('the program does not answer')))
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    socket.setTimeout(0)
    return socket
  }

  function addPool(name: string, row: TargetRow): Pool {
    const pool = new Pool('http://program', {
      connections: SOCKETS_MAX,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // Its visitor's connection ends a request that nobody answers.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        open(row).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        )
      },
    })
    const forget = () => {
      const { connected, running, queued } = pool.stats
      if (connected + running + queued > 0 || pools.get(name) !== pool) return
      pools.delete(name)
      void pool.close()
    }
    pool.on('disconnect', forget)
    pool.on('connectionError', forget)
    pools.set(name, pool)
    return pool
  }

  return {
    /** A connection to a program. */
    connect: open,
    /** The program of a label, or of a domain of the owner; undefined if there is none, or if its account is locked. */
    find: (label: string): Promise<TargetRow | undefined> => targets(label),
    /** Whether a session of the console is valid, and may be used from this address. @param hash its hash, hex */
    async isSession(hash: string, ip: string): Promise<boolean> {
      const ips = await sessions(hash)
      return ips !== undefined && admits(ips, ip)
    },
    /** The connections to a program that requests share. */
    poolOf(row: TargetRow): Pool {
      const name = `${row.workload}:${row.port}`
      return pools.get(name) ?? addPool(name, row)
    },
    async stop(): Promise<void> {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
    },
  }
}

/** Answers for a moment without asking again; a failure is not remembered. */
function remembering<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, { until: number; answer: Promise<T> }>()
  return (key) => {
    const found = known.get(key)
    if (found && found.until > performance.now()) return found.answer
    const answer = ask(key)
    answer.catch(() => known.delete(key))
    known.delete(key)
    known.set(key, { until: performance.now() + FRESH_MS, answer })
    if (known.size > KNOWN_MAX) for (const [oldest] of [...known].slice(0, KNOWN_MAX / 10)) known.delete(oldest)
    return answer
  }
}
