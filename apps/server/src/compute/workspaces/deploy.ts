import { randomBytes } from 'node:crypto'
import {
  AppError,
  type contract,
  type HealthCheck,
  type Parsed,
  type RestartPolicy,
  WORKLOADS_MAX,
} from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import type { ProgramOptions, Size } from '../clusters/driver.ts'
import { now } from '../context.ts'
import { findArchive } from './archives.ts'
import { sealEnv } from './env.ts'
import { withPath } from './folder-state.ts'
import { addFolder, chooseFolder, requireFolders } from './folders.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { insertWorkload } from './repository.ts'
import { recordSettings } from './settings.ts'
import { templates } from './templates.ts'
import { fromWireSize, offersHealth, toWireSize } from './wire.ts'
import {
  actorOf,
  type Deps,
  lockReadyWorkspace,
  requireArchives,
  requireFreeResources,
  requireHealthPort,
  requireSupervision,
  resolveImage,
  toColumns,
} from './workloads.ts'

/** New programs in a workspace. */

/** The templates that can be deployed. */
export const listTemplates = () => ({
  list: templates.map(({ name, image, ports, env, paths, health, tested, ...size }) => ({
    name,
    image: image ?? '',
    ports: [...ports],
    env: [...env],
    paths: [...paths],
    health: health !== null,
    tested,
    ...toWireSize(size),
  })),
})

export interface NewProgram {
  name: string
  /** Empty: none. */
  template: string
  image: string | null
  command: readonly string[]
  env: Readonly<Record<string, string>>
  ports: readonly number[]
  size: Size
  restart: RestartPolicy | undefined
  health: HealthCheck | null
  options: ProgramOptions
}

/** @throws AppError as the contract declares */
export async function deployWorkload(
  context: Deps,
  caller: ConsoleCaller,
  input: Parsed<typeof contract.clusters.deploy>,
  from: { ip: string },
): Promise<{ id: string; generated: { name: string; value: string }[] }> {
  if ([input.template, input.image, input.archive].filter(Boolean).length > 1) throw new AppError('templateAndImage')
  const template = templates.find(({ name }) => name === input.template)
  const size = fromWireSize(input)
  const image = input.archive
    ? await findArchive(context, caller, input.archive, size.storage, from.ip)
    : input.image
      ? resolveImage(context, input.image)
      : (template?.image ?? null)
  const folder = input.folder && (await chooseFolder(context, caller, input.folder, from.ip))
  const generated = (template?.env ?? [])
    .filter(({ name, value, secret }) => secret && value === '' && !input.env[name])
    .map(({ name }) => ({ name, value: randomBytes(18).toString('base64url') }))
  const defaults = Object.fromEntries([...(template?.env ?? []), ...generated].map(({ name, value }) => [name, value]))
  const given = Object.entries(input.env).filter(([name, value]) => value !== '' || defaults[name] === undefined)
  const ports = [...new Set(input.ports.length > 0 ? input.ports : (template?.ports ?? []))]
  const options = template && template.paths.length > 0 ? { paths: template.paths } : {}
  const program = {
    name: input.name,
    template: input.template ?? (input.image || input.archive ? '' : 'machine'),
    image,
    command: input.command.length > 0 ? input.command : (template?.command ?? []),
    env: { ...defaults, ...Object.fromEntries(given) },
    ports,
    size,
    restart: input.restart,
    health: input.health ?? null,
    options: folder ? withPath(options, folder.path) : options,
  }
  const [id = ''] = await context.db.transaction(async (tx) => {
    const { space, rows } = await lockReadyWorkspace(tx, caller, input.workspace)
    if (input.archive) requireArchives(context, space)
    if (folder) requireFolders(context, space)
    const usual = template?.health && ports.includes(template.health.port) ? template.health : null
    // A template's own check is left out where it is not offered, and where its owner wants none.
    const health =
      input.health === undefined && offersHealth(context.clusters.of(space.cluster)?.driver) ? usual : program.health
    const ids = await insertPrograms(context, tx, caller, { space, rows, programs: [{ ...program, health }] }, from)
    if (folder) await addFolder(tx, context, ids[0] ?? '', folder)
    return ids
  })
  return { id, generated }
}

/**
 * Adds programs to a workspace, all or none.
 * @param rows of the workspace, which the transaction has locked
 * @returns their ids, in the same order
 * @throws AppError as the contract declares
 */
export async function insertPrograms(
  context: Deps,
  tx: Db,
  caller: ConsoleCaller,
  { space, rows, programs }: Awaited<ReturnType<typeof lockReadyWorkspace>> & { programs: readonly NewProgram[] },
  from: { ip: string },
): Promise<string[]> {
  if (space.offline) throw new AppError('guestLimited')
  if (rows.length + programs.length > WORKLOADS_MAX) throw new AppError('tooManyWorkloads', { max: WORKLOADS_MAX })
  const at = now(context)
  const ids: string[] = []
  const present = [...rows]
  for (const { env, size, ...program } of programs) {
    const id = `w-${randomBytes(8).toString('hex')}`
    if (present.some(({ name }) => name === program.name)) throw new AppError('workloadNameTaken')
    requireFreeResources(space, present, { id, size })
    const row = {
      ...program,
      id,
      workspace_id: space.id,
      command: [...program.command],
      env: sealEnv(context.keys, id, env),
      ports: [...program.ports],
      ...toColumns(size),
      restart: program.restart ?? ('on-failure' as const),
    }
    requireSupervision(context, space, program)
    requireHealthPort(row)
    await insertWorkload(tx, row, at)
    await recordSettings(tx, id, at)
    await reconcileWorkloadJob.add(tx, { id })
    const detail = { workspace: space.id, image: row.image ?? 'own' }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.deploy', subject: `workload:${id}`, detail })
    present.push({ ...row, made: false, failure: '' } as (typeof rows)[number])
    ids.push(id)
  }
  return ids
}
