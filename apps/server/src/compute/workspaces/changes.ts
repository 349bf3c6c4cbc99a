import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { now } from '../context.ts'
import { findArchive } from './archives.ts'
import { openEnv, sealEnv } from './env.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { sizeOfWorkload, usesResources } from './reconcile.ts'
import { editWorkload } from './repository.ts'
import { recordSettings } from './settings.ts'
import {
  actorOf,
  type Deps,
  lockWorkload,
  requireArchives,
  requireFreeResources,
  requireHealthPort,
  requireSupervision,
  requireWorkload,
  resolveImage,
} from './workloads.ts'

const VARIABLES_MAX = 50

/** Changes image, variables or ports; the disk stays. @throws AppError as the contract declares */
export async function changeWorkload(
  context: Deps,
  caller: ConsoleCaller,
  input: Parsed<typeof contract.clusters.change>,
  from: { ip: string },
): Promise<void> {
  const { id } = input
  if (input.image && input.archive) throw new AppError('templateAndImage')
  const disk = input.archive && (await requireWorkload(context.db, caller, id)).storage
  const image = input.archive
    ? await findArchive(context, caller, input.archive, disk ?? 0, from.ip)
    : input.image
      ? resolveImage(context, input.image)
      : undefined
  await context.db.transaction(async (tx) => {
    const { space, rows, row } = await lockWorkload(tx, caller, id)
    if (space.offline) throw new AppError('guestLimited')
    if (!usesResources(row)) requireFreeResources(space, rows, { id, size: sizeOfWorkload(row) })
    const before = Object.entries(openEnv(context.keys, id, row.env)).filter(([name]) => !input.unset.includes(name))
    const env = { ...Object.fromEntries(before), ...input.env }
    if (Object.keys(env).length > VARIABLES_MAX) throw new AppError('envName')
    const isOther = image !== undefined && image !== row.image
    const changed = {
      image: image ?? row.image,
      // Another version of the same image still belongs to its template.
      template: isOther && repositoryOf(image) !== repositoryOf(row.image) ? '' : row.template,
      command: input.command ?? row.command,
      env: sealEnv(context.keys, id, env),
      ports: [...new Set(input.ports ?? row.ports)],
      restart: input.restart ?? row.restart,
      health: input.health === undefined ? row.health : input.health,
      // Another program has another entry point; the folders on the disk stay.
      options: isOther && repositoryOf(image) !== repositoryOf(row.image) ? { paths: row.options.paths } : row.options,
    }
    requireSupervision(context, space, input)
    if (input.archive) requireArchives(context, space)
    requireHealthPort(changed)
    const at = now(context)
    await editWorkload(tx, id, changed, at)
    await recordSettings(tx, id, at)
    await reconcileWorkloadJob.add(tx, { id })
    const detail = { workspace: space.id, image: changed.image ?? 'own' }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.change', subject: `workload:${id}`, detail })
  })
}

/** An image without its version. */
const repositoryOf = (image: string | null): string | undefined => image?.replace(/(@.*|:[^:/]*)$/, '')
