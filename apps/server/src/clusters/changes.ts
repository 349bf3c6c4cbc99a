import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { audit } from '../audit-log/audit-log.ts'
import { now } from '../context.ts'
import { addJob } from '../jobs.ts'
import type { ConsoleCaller } from '../sessions/callers.ts'
import { openEnv, sealEnv } from './env.ts'
import { editWorkload } from './repository.ts'
import { sizeOfWorkload, takesShare } from './settle.ts'
import { actorOf, demandRoom, demandWorkload, imageOf, lockOwn, type Needs } from './workloads.ts'

const VARIABLES_MAX = 50

/** Another program in the same workload, with the disk that it has. @throws AppError as the contract declares */
export async function changeWorkload(
  context: Needs,
  caller: ConsoleCaller,
  input: Parsed<typeof contract.clusters.change>,
  from: { ip: string },
): Promise<void> {
  const { id } = input
  const image = input.image ? imageOf(context, input.image) : undefined
  await context.db.transaction(async (tx) => {
    const { workspace_id } = await demandWorkload(tx, caller, id)
    const { space, rows } = await lockOwn(tx, caller, workspace_id)
    // As it is by now: another change may have come first.
    const row = rows.find((one) => one.id === id)
    if (!row) throw new AppError('workloadUnknown')
    if (!takesShare(row)) demandRoom(space, rows, { id, size: sizeOfWorkload(row) })
    const before = Object.entries(openEnv(context.keys, id, row.env)).filter(([name]) => !input.unset.includes(name))
    const env = { ...Object.fromEntries(before), ...input.env }
    if (Object.keys(env).length > VARIABLES_MAX) throw new AppError('envName')
    const isOther = image !== undefined && image !== row.image
    const changed = {
      image: image ?? row.image,
      // It is the program that it was called by as long as its image is another version of that.
      template: isOther && repositoryOf(image) !== repositoryOf(row.image) ? '' : row.template,
      command: input.command ?? row.command,
      env: sealEnv(context.keys, id, env),
      ports: [...new Set(input.ports ?? row.ports)],
    }
    await editWorkload(tx, id, changed, now(context))
    await addJob(tx, 'settleWorkload', { id })
    const detail = { workspace: space.id, image: changed.image ?? 'own' }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.change', subject: `workload:${id}`, detail })
  })
}

/** An image without its version. */
const repositoryOf = (image: string | null): string | undefined => image?.replace(/(@.*|:[^:/]*)$/, '')
