import {
  type ConsoleWorkload,
  type ConsoleWorkspace,
  type Lang,
  type ProgramProblem,
  type PublishedAccess,
  WORKLOAD_FAILURES,
  type WorkloadFailure,
} from '@tidenet/contract'
import { probeWithTimeout } from '../clusters/clusters.ts'
import { type ClusterDriver, NOT_APART, type WorkloadState } from '../clusters/driver.ts'
import { noteText } from '../clusters/notes.ts'
import { redactPaths } from '../clusters/redact-paths.ts'
import { GB, leftOf, sum } from '../clusters/sizes.ts'
import type { Context } from '../context.ts'
import type { AddressRow } from './addresses-repository.ts'
import type { DomainRow } from './domains-repository.ts'
import { offersDomains, toWireDomain } from './domains-wire.ts'
import { openEnv } from './env.ts'
import { toWireFolder } from './folder-state.ts'
import type { FolderRow } from './folders-repository.ts'
import { addressOf, codeOf } from './labels.ts'
import { sizeOfWorkload, sizeOfWorkspace, usesResources } from './reconcile.ts'
import type { WorkloadRow, WorkspaceRow } from './repository.ts'
import type { TcpPortRow } from './tcp-ports-repository.ts'

/** Workspaces and workloads in the format of the API, from their rows and the state of their cluster. */

export type SizeIn = { cpu: number; memory: number; storage: number }

const MB = 1024 ** 2

/** Cores, MiB, GiB. */
export const toWireSize = ({ cpu, memory, storage }: SizeIn): SizeIn => ({
  cpu: Math.round(cpu * 1000) / 1000,
  memory: Math.floor(memory / MB),
  storage: Math.floor((storage / GB) * 1000) / 1000,
})
export const fromWireSize = ({ cpu, memory, storage }: SizeIn): SizeIn => ({
  cpu,
  memory: memory * MB,
  storage: storage * GB,
})

/** Whether the server restarts programs of the cluster, and checks their health. */
export const isSupervised = (driver: ClusterDriver | undefined): boolean => driver?.ended !== undefined

/** Whether health checks are offered: by the server, or by the cluster itself. */
export const offersHealth = (driver: ClusterDriver | undefined): boolean =>
  isSupervised(driver) || driver?.checksHealth === true

/** Of all workloads of the workspaces. */
interface RowsOfWorkloads {
  addresses: readonly AddressRow[]
  domains: readonly DomainRow[]
  folders: readonly FolderRow[]
  /** The present. */
  at: Date
  problems: readonly { workload_id: string; kind: ProgramProblem }[]
  tcpPorts: readonly TcpPortRow[]
  /** The language of the notes. */
  lang: Lang
  /** The last measures of programs in suspended workspaces. */
  measures: readonly { workload_id: string; storage: number }[]
}

export async function toWireWorkspace(
  { clusters, config, keys }: Pick<Context, 'clusters' | 'config' | 'keys'>,
  space: WorkspaceRow,
  rows: readonly WorkloadRow[],
  { addresses, domains, folders, at, problems, tcpPorts, measures, lang }: RowsOfWorkloads,
): Promise<ConsoleWorkspace> {
  const cluster = clusters.of(space.cluster)
  const states = await cluster?.driver.list(space.id).catch(() => undefined)
  const probe = cluster && states ? await probeWithTimeout(cluster) : undefined
  const { facts, traffic } = probe ?? {}
  const network = facts?.network !== undefined && facts.network !== 'none'
  const ingress = network ? config.ingress.url : ''
  const size = sizeOfWorkspace(space)
  const used = sum(rows.filter(usesResources).map(sizeOfWorkload))
  return {
    id: space.id,
    cluster: space.cluster,
    state: space.state === 'removed' ? 'suspended' : space.state,
    size: toWireSize(size),
    free: toWireSize(leftOf(size, used)),
    network,
    apart: facts?.network !== NOT_APART,
    traffic: {
      megabits: traffic?.megabits ?? 0,
      connections: traffic?.connections ?? 0,
      closed_ports: [...(traffic?.closedPorts ?? [])],
    },
    supervised: isSupervised(cluster?.driver),
    health_checks: offersHealth(cluster?.driver),
    archives: cluster?.driver.kind === 'engine',
    folders: cluster?.driver.transfer !== undefined,
    domains: ingress !== '' && offersDomains(config),
    tcp: ingress !== '' && config.ingress.tcpPorts !== undefined,
    created_at: space.created_at.toISOString(),
    kept: keptOf(space, rows, measures),
    workloads: rows.map((row) => {
      const urlOf = (port: number) =>
        addressOf(ingress, { program: row.name, workspace: codeOf(space.id) }, row.ports, port)
      return {
        ...toWireWorkload(
          keys,
          row,
          states && (states.find((one) => one.workload === row.id) ?? null),
          (port) => {
            const access = addresses.find((one) => one.workload_id === row.id && one.port === port)?.access ?? 'account'
            const own = tcpPorts.find((one) => one.workload_id === row.id && one.port === port)
            const tcp = own && urlOf(port) ? `tcp://${hostnameOf(urlOf(port))}:${own.number}` : ''
            return { url: access === 'none' ? '' : access === 'tcp' ? tcp : urlOf(port), access }
          },
          { usual: facts?.storage === 'enforced' ? 'enforced' : 'metered', lang },
        ),
        folder: toWireFolder(
          folders.find((one) => one.workload_id === row.id),
          at,
          lang,
        ),
        problems: problems.filter((one) => one.workload_id === row.id).map(({ kind }) => kind),
        domains: domains
          .filter((one) => one.workload_id === row.id)
          .map((one) => toWireDomain(keys, one, hostnameOf(urlOf(one.port)))),
      }
    }),
  }
}

function keptOf(
  { state, kept_from: since, kept_until: until, kept_order: order }: WorkspaceRow,
  rows: readonly WorkloadRow[],
  measures: RowsOfWorkloads['measures'],
): ConsoleWorkspace['kept'] {
  if (state !== 'suspended' || !since || !until || order === null) return null
  const ids = new Set(rows.map(({ id }) => id))
  const disks = measures
    .filter(({ workload_id }) => ids.has(workload_id))
    .map(({ workload_id: id, storage: bytes }) => ({ id, bytes }))
  return { since: since.toISOString(), until: until.toISOString(), order, disks }
}

/** @param found undefined: the cluster does not answer; null: the cluster has no such workload */
function toWireWorkload(
  keys: Pick<Context['keys'], 'console'>,
  row: WorkloadRow,
  found: WorkloadState | null | undefined,
  published: (port: number) => { url: string; access: PublishedAccess },
  { usual, lang }: { usual: ConsoleWorkload['storage_limit']; lang: Lang },
): Omit<ConsoleWorkload, 'domains' | 'folder' | 'problems'> {
  const wanted = row.wanted === 'running'
  const pending = row.done < row.version
  const failure = failureOf(row, found, wanted)
  return {
    id: row.id,
    name: row.name,
    template: row.template,
    image: row.image ?? '',
    command: row.command,
    env: Object.keys(openEnv(keys, row.id, row.env)),
    ports: row.ports.map((port) => ({
      port,
      address: found?.published.find((one) => one.port === port)?.address ?? '',
      ...published(port),
    })),
    paths: [...(row.options.paths ?? [])],
    ...toWireSize(sizeOfWorkload(row)),
    state: failure ? 'failed' : stateName({ wanted, pending, found }),
    wanted,
    failure,
    note: redactPaths(noteText(row.note, lang) || (wanted ? (found?.reason ?? '') : '')),
    exit_code: found?.exitCode ?? null,
    started_at: found?.startedAt?.toISOString() ?? '',
    created_at: row.created_at.toISOString(),
    restart: row.restart,
    restarts: found?.restarts ?? row.restarts,
    restart_at: row.restart_at?.toISOString() ?? '',
    health: row.health,
    health_state: found?.state === 'running' ? row.health_state : 'unknown',
    health_note: found?.state === 'running' ? row.health_note : '',
    stop_at: row.stop_at?.toISOString() ?? '',
    storage_limit: found?.storage ?? usual,
    kernel: found?.kernel ?? 'shared',
  }
}

const hostnameOf = (url: string): string => (url === '' ? '' : new URL(url).hostname)

function stateName({
  wanted,
  pending,
  found,
}: {
  wanted: boolean
  pending: boolean
  found: WorkloadState | null | undefined
}): ConsoleWorkload['state'] {
  const isActive = found?.state === 'running' || found?.state === 'starting' || found?.state === 'stopping'
  // `stopped` only when the cluster reports it, not when it was requested.
  if (!wanted) return isActive || (pending && found === undefined) ? 'stopping' : 'stopped'
  if (found?.state === 'running') return 'running'
  return pending || isActive || found === undefined ? 'starting' : 'stopped'
}

function failureOf(row: WorkloadRow, found: WorkloadState | null | undefined, wanted: boolean): WorkloadFailure | '' {
  const known = WORKLOAD_FAILURES.find((one) => one === row.failure)
  if (known) return known
  if (!wanted || found?.state !== 'failed') return ''
  return found.failure ?? (found.outOfMemory ? 'memory' : 'exit')
}
