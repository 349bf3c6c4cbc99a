import { randomBytes } from 'node:crypto'
import {
  AppError,
  type ConsoleWorkload,
  type ConsoleWorkspace,
  type contract,
  type Parsed,
  WORKLOAD_FAILURES,
  WORKLOADS_MAX,
  type WorkloadFailure,
} from '@tidenet/contract'
import { findWallets } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { probed } from '../clusters/clusters.ts'
import type { WorkloadState } from '../clusters/driver.ts'
import { fullImage } from '../clusters/images.ts'
import { withoutFolders } from '../clusters/note.ts'
import { fitsBeside, GB, sum } from '../clusters/sizes.ts'
import { type Context, now } from '../context.ts'
import { openEnv, sealEnv } from './env.ts'
import { workloadToSettle } from './jobs.ts'
import {
  insertWorkload,
  keptLines,
  lockWorkspace,
  ownWorkload,
  samplesOf,
  type WorkloadRow,
  type WorkspaceRow,
  wantOf,
  workloadsIn,
  workspacesOf,
} from './repository.ts'
import { sizeOfWorkload, sizeOfWorkspace, takesShare } from './settle.ts'
import { templates } from './templates.ts'

/** What the console does with the workspaces of the account that entered it. */

export type Needs = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'clusters'>
type SizeIn = { cpu: number; memory: number; storage: number }

const MB = 1024 ** 2

/** Cores, MiB, GiB, as the console says it. */
const shown = ({ cpu, memory, storage }: SizeIn): SizeIn => ({
  cpu: Math.round(cpu * 1000) / 1000,
  memory: Math.floor(memory / MB),
  storage: Math.floor((storage / GB) * 1000) / 1000,
})
const read = ({ cpu, memory, storage }: SizeIn): SizeIn => ({ cpu, memory: memory * MB, storage: storage * GB })
const columns = ({ cpu, memory, storage }: SizeIn): SizeIn => ({ cpu: Math.round(cpu * 1000), memory, storage })

/** The workspaces of the account, with what runs in them. */
export async function listWorkspaces(context: Needs, caller: ConsoleCaller) {
  const { db } = context
  const spaces = await workspacesOf(db, caller.userId)
  const rows = await workloadsIn(
    db,
    spaces.map(({ id }) => id),
  )
  const list = await Promise.all(
    spaces.map((space) =>
      shownWorkspace(
        context,
        space,
        rows.filter((row) => row.workspace_id === space.id),
      ),
    ),
  )
  const wallet = (await findWallets(db, caller.userId)).find(({ kind }) => kind === 'cosmos')
  return { account: wallet?.address ?? '', expires_at: caller.expiresAt.toISOString(), list }
}

async function shownWorkspace(
  { clusters, keys }: Pick<Context, 'clusters' | 'keys'>,
  space: WorkspaceRow,
  rows: readonly WorkloadRow[],
): Promise<ConsoleWorkspace> {
  const cluster = clusters.of(space.cluster)
  const states = await cluster?.driver.list(space.id).catch(() => undefined)
  const facts = cluster && states ? (await probed(cluster))?.facts : undefined
  const size = sizeOfWorkspace(space)
  const used = sum(rows.filter(takesShare).map(sizeOfWorkload))
  return {
    id: space.id,
    cluster: space.cluster,
    state: space.state === 'removed' ? 'suspended' : space.state,
    size: shown(size),
    free: shown({
      cpu: Math.max(0, size.cpu - used.cpu),
      memory: Math.max(0, size.memory - used.memory),
      storage: Math.max(0, size.storage - used.storage),
    }),
    network: facts?.network !== undefined && facts.network !== 'none',
    created_at: space.created_at.toISOString(),
    workloads: rows.map((row) =>
      shownWorkload(keys, row, states && (states.find((one) => one.workload === row.id) ?? null)),
    ),
  }
}

/** `found` undefined: the cluster does not answer; null: there is no such workload on it. */
function shownWorkload(
  keys: Pick<Context['keys'], 'console'>,
  row: WorkloadRow,
  found: WorkloadState | null | undefined,
): ConsoleWorkload {
  const wanted = row.wanted === 'running'
  const pending = row.done < row.version
  const own = failureOf(row, found, wanted)
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
    })),
    ...shown(sizeOfWorkload(row)),
    state: own ? 'failed' : wordOf({ wanted, pending, found }),
    wanted,
    failure: own,
    note: withoutFolders(row.note || (wanted ? (found?.reason ?? '') : '')),
    exit_code: found?.exitCode ?? null,
    started_at: found?.startedAt?.toISOString() ?? '',
    created_at: row.created_at.toISOString(),
    storage_limit: found?.storage ?? 'metered',
  }
}

function wordOf({
  wanted,
  pending,
  found,
}: {
  wanted: boolean
  pending: boolean
  found: WorkloadState | null | undefined
}): ConsoleWorkload['state'] {
  const isThere = found?.state === 'running' || found?.state === 'starting' || found?.state === 'stopping'
  // It has stopped when its cluster says so, and not as soon as it was asked to.
  if (!wanted) return isThere || (pending && found === undefined) ? 'stopping' : 'stopped'
  if (found?.state === 'running') return 'running'
  return pending || isThere || found === undefined ? 'starting' : 'stopped'
}

function failureOf(row: WorkloadRow, found: WorkloadState | null | undefined, wanted: boolean): WorkloadFailure | '' {
  const known = WORKLOAD_FAILURES.find((one) => one === row.failure)
  if (known) return known
  if (!wanted || found?.state !== 'failed') return ''
  return found.outOfMemory ? 'memory' : 'exit'
}

/** What can be deployed by name. */
export const listTemplates = () => ({
  list: templates.map(({ name, image, ports, env, ...size }) => ({
    name,
    image: image ?? '',
    ports: [...ports],
    env: [...env],
    ...shown(size),
  })),
})

/** @throws AppError as the contract declares */
export async function deployWorkload(
  context: Needs,
  caller: ConsoleCaller,
  input: Parsed<typeof contract.clusters.deploy>,
  from: { ip: string },
): Promise<{ id: string }> {
  if (input.template && input.image) throw new AppError('templateAndImage')
  const template = templates.find(({ name }) => name === input.template)
  const image = input.image ? imageOf(context, input.image) : (template?.image ?? null)
  const made = Object.fromEntries(
    (template?.env ?? []).map(({ name, value, secret }) => [
      name,
      value || (secret ? randomBytes(18).toString('base64url') : ''),
    ]),
  )
  const given = Object.entries(input.env).filter(([name, value]) => value !== '' || made[name] === undefined)
  const env = { ...made, ...Object.fromEntries(given) }
  const id = `w-${randomBytes(8).toString('hex')}`
  const size = read(input)
  await context.db.transaction(async (tx) => {
    const { space, rows } = await lockOwn(tx, caller, input.workspace)
    if (rows.length >= WORKLOADS_MAX) throw new AppError('tooManyWorkloads', { max: WORKLOADS_MAX })
    if (rows.some(({ name }) => name === input.name)) throw new AppError('workloadNameTaken')
    demandRoom(space, rows, { id, size })
    const row = {
      id,
      workspace_id: space.id,
      name: input.name,
      template: input.template ?? (input.image ? '' : 'machine'),
      image,
      command: input.command.length > 0 ? input.command : [...(template?.command ?? [])],
      env: sealEnv(context.keys, id, env),
      ports: [...new Set(input.ports.length > 0 ? input.ports : (template?.ports ?? []))],
      ...columns(size),
    }
    await insertWorkload(tx, row, now(context))
    await workloadToSettle.add(tx, { id })
    const detail = { workspace: space.id, image: image ?? 'own' }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.deploy', subject: `workload:${id}`, detail })
  })
  return { id }
}

export function imageOf({ config }: Pick<Context, 'config'>, text: string): string {
  const { registries } = config.clusters
  const image = fullImage(text, registries)
  if (image) return image
  throw fullImage(text, [...registries, text.split('/')[0]?.toLowerCase() ?? ''])
    ? new AppError('registryRefused', { hosts: registries.join(', ') })
    : new AppError('imageName')
}

export const actorOf = ({ userId, uid }: ConsoleCaller) => ({ userId, uid, via: 'proof' }) as const

/** A workspace of the caller that runs, held until the transaction ends. @throws AppError workspaceNotReady */
export async function lockOwn(
  tx: Db,
  { userId }: ConsoleCaller,
  id: string,
): Promise<{ space: WorkspaceRow; rows: WorkloadRow[] }> {
  const space = await lockWorkspace(tx, id)
  // A stranger's is as little there as one that never was.
  if (!space || space.user_id !== userId || space.state !== 'ready') throw new AppError('workspaceNotReady')
  return { space, rows: await workloadsIn(tx, [id]) }
}

export function demandRoom(
  space: WorkspaceRow,
  rows: readonly WorkloadRow[],
  added: { id: string; size: SizeIn },
): void {
  const present = rows.filter(takesShare).map((row) => ({ workload: row.id, size: sizeOfWorkload(row) }))
  if (!fitsBeside(sizeOfWorkspace(space), present, added)) throw new AppError('workspaceFull')
}

/** @throws AppError workloadUnknown */
export async function demandWorkload(db: Db, { userId }: ConsoleCaller, id: string) {
  const row = await ownWorkload(db, userId, id)
  if (!row) throw new AppError('workloadUnknown')
  return row
}

/** Asks for a workload to run, or not to. @throws AppError workloadUnknown, workspaceNotReady, workspaceFull */
export async function wantWorkload(
  context: Needs,
  caller: ConsoleCaller,
  id: string,
  wanted: 'running' | 'stopped',
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const row = await demandWorkload(tx, caller, id)
    if (row.wanted === 'removed') throw new AppError('workloadUnknown')
    const { space, rows } = await lockOwn(tx, caller, row.workspace_id)
    // Its share may have been given away meanwhile.
    if (wanted === 'running' && !takesShare(row)) demandRoom(space, rows, { id, size: sizeOfWorkload(row) })
    await wantOf(tx, id, { wanted }, now(context))
    await workloadToSettle.add(tx, { id })
  })
}

/** @throws AppError workloadUnknown, workspaceNotReady, workspaceFull, diskShrinks */
export async function resizeWorkload(
  context: Needs,
  caller: ConsoleCaller,
  { id, ...input }: SizeIn & { id: string },
): Promise<void> {
  const size = read(input)
  await context.db.transaction(async (tx) => {
    const row = await demandWorkload(tx, caller, id)
    if (row.wanted === 'removed') throw new AppError('workloadUnknown')
    const { space, rows } = await lockOwn(tx, caller, row.workspace_id)
    if (size.storage < row.storage) throw new AppError('diskShrinks')
    demandRoom(space, rows, { id, size })
    await wantOf(tx, id, columns(size), now(context))
    await workloadToSettle.add(tx, { id })
  })
}

/** @throws AppError workloadUnknown */
export async function removeWorkload(
  context: Needs,
  caller: ConsoleCaller,
  id: string,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const row = await demandWorkload(tx, caller, id)
    if (row.wanted === 'removed') return
    await wantOf(tx, id, { wanted: 'removed' }, now(context))
    await workloadToSettle.add(tx, { id })
    await audit(tx, context, actorOf(caller), from, { action: 'workload.remove', subject: `workload:${id}` })
  })
}

/** What a workload wrote, those of earlier runs first. @throws AppError workloadUnknown */
export async function logsOf(context: Needs, caller: ConsoleCaller, { id, lines }: { id: string; lines: number }) {
  const row = await demandWorkload(context.db, caller, id)
  const kept = (await keptLines(context.db, id))
    .split('\n')
    .map((line) => /^(\d{4}-\S+) (.*)$/s.exec(line))
    .filter((match) => match !== null)
    .map(([, at = '', text = '']) => ({ at, text }))
  const ref = { workspace: row.workspace_id, workload: id }
  const fresh = await (context.clusters.of(row.cluster)?.driver.logs(ref, { lines }) ?? Promise.resolve([])).catch(
    () => [],
  )
  const all = [...kept, ...fresh.map(({ at, text }) => ({ at: at.toISOString(), text: text.replaceAll('\0', '') }))]
  return { lines: all.slice(-lines) }
}

/** @throws AppError workloadUnknown */
export async function usageOf(context: Needs, caller: ConsoleCaller, { id, hours }: { id: string; hours: number }) {
  await demandWorkload(context.db, caller, id)
  const since = new Date(context.clock.now() - hours * 3_600_000)
  // About 120 points whatever the span; use is looked at every half minute.
  const rows = await samplesOf(context.db, id, since, Math.max(30, hours * 30))
  return { points: rows.map((row) => ({ ...row, at: row.at.toISOString() })) }
}

/** A workload of the caller with its cluster, for what goes to it directly. @throws AppError workloadUnknown */
export async function reachable(context: Needs, caller: ConsoleCaller, id: string) {
  const row = await demandWorkload(context.db, caller, id)
  const cluster = context.clusters.of(row.cluster)
  if (row.wanted === 'removed' || !cluster) throw new AppError('workloadUnknown')
  return { row, driver: cluster.driver, ref: { workspace: row.workspace_id, workload: id } }
}
