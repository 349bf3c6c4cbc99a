import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { now } from '../context.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { openLogin, sealLogin } from './logins.ts'
import { deleteLogin, listLogins, runningWithImagesOf, saveLogin } from './registries-repository.ts'
import { updateWanted } from './repository.ts'
import { actorOf, type Deps } from './workloads.ts'

/** Logins of accounts at image registries. They are used to pull images, and never shown again. */

/** The registries that images can come from, and the caller's logins without their passwords. */
export async function listRegistries(
  { db, keys, config }: Deps,
  { userId }: ConsoleCaller,
): Promise<Output<typeof contract.clusters.registries>> {
  const list = (await listLogins(db, userId)).map((row) => ({
    host: row.host,
    username: openLogin(keys, userId, row).username,
    changed_at: row.changed_at.toISOString(),
  }))
  return { hosts: [...config.clusters.registries], list }
}

/** @throws AppError registryRefused */
export async function setRegistry(
  context: Deps,
  caller: ConsoleCaller,
  { host, username, password }: Parsed<typeof contract.clusters.setRegistry>,
  from: { ip: string },
): Promise<void> {
  const { registries } = context.config.clusters
  if (!registries.includes(host)) throw new AppError('registryRefused', { hosts: registries.join(', ') })
  const sealed = sealLogin(context.keys, caller.userId, host, { username, password })
  await context.db.transaction(async (tx) => {
    await saveLogin(tx, caller.userId, { host, sealed, changed_at: now(context) })
    await renewLogins(context, tx, caller, host)
    await audit(tx, context, actorOf(caller), from, { action: 'registry.set', subject: `registry:${host}` })
  })
}

/** Nothing happens if there is no such login. */
export async function removeRegistry(
  context: Deps,
  caller: ConsoleCaller,
  host: string,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if ((await deleteLogin(tx, caller.userId, host)) === 0) return
    await renewLogins(context, tx, caller, host)
    await audit(tx, context, actorOf(caller), from, { action: 'registry.remove', subject: `registry:${host}` })
  })
}

/** Clusters that pull again by themselves get the login that holds from now on. */
async function renewLogins(context: Deps, tx: Db, { userId }: ConsoleCaller, host: string): Promise<void> {
  const regions = context.clusters
    .all()
    .filter(({ driver }) => driver.keepsLogins)
    .flatMap((one) => one.regions)
  if (regions.length === 0) return
  for (const { id } of await runningWithImagesOf(tx, userId, { host, regions })) {
    // As a new version, because a job that runs may have read the old login.
    await updateWanted(tx, id, { wanted: 'running' }, now(context))
    await reconcileWorkloadJob.add(tx, { id })
  }
}
