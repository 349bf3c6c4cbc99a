import { isWithin, toHostname } from '@tidenet/certificates'
import { AppError, type contract, DOMAINS_MAX, type Parsed } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { type Context, type Db, now } from '../context.ts'
import { askForCheck, countDomains, deleteDomain, isProvenElsewhere, saveDomain } from './domains-repository.ts'
import { offersDomains } from './domains-wire.ts'
import { actorOf, type Deps, lockWorkload, requireWorkload } from './workloads.ts'

export {
  claimDueDomains,
  type DomainCheck,
  type DomainProblem,
  type DueDomain,
  deleteLostDomains,
  findDomainTarget,
  provenDomains,
  saveCheck,
} from './domains-repository.ts'
export { domainToken, LOST_AFTER_MS, UNPROVEN_AFTER_MS } from './domains-wire.ts'
/** Gives a program's port a domain of its owner, which is looked at soon. @throws AppError as the contract declares */
export async function addDomain(
  context: Deps,
  caller: ConsoleCaller,
  { id, port, domain: given }: Parsed<typeof contract.clusters.addDomain>,
  from: { ip: string },
): Promise<void> {
  if (!offersDomains(context.config)) throw new AppError('notPublished')
  const domain = readDomain(context, given)
  await context.db.transaction(async (tx) => {
    const { row } = await lockWorkload(tx, caller, id)
    if (!row.ports.includes(port)) throw new AppError('portUnknown')
    if (await isProvenElsewhere(tx, domain, id)) throw new AppError('domainTaken')
    await saveDomain(tx, { domain, workload_id: id, port }, now(context))
    if ((await countDomains(tx, row.workspace_id)) > DOMAINS_MAX)
      throw new AppError('tooManyDomains', { max: DOMAINS_MAX })
    await record(tx, context, caller, from, id, { domain, port })
  })
}

/** Looks at the records of a domain at once, and orders a certificate that failed again. @throws AppError domainUnknown */
export async function checkDomain(
  context: Deps,
  caller: ConsoleCaller,
  { id, domain }: Parsed<typeof contract.clusters.checkDomain>,
): Promise<void> {
  await requireWorkload(context.db, caller, id)
  if (!(await askForCheck(context.db, id, domain, now(context)))) throw new AppError('domainUnknown')
}

/** @throws AppError domainUnknown */
export async function removeDomain(
  context: Deps,
  caller: ConsoleCaller,
  { id, domain }: Parsed<typeof contract.clusters.removeDomain>,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await requireWorkload(tx, caller, id)
    if (!(await deleteDomain(tx, id, domain))) throw new AppError('domainUnknown')
    await record(tx, context, caller, from, id, { domain, port: 0 })
  })
}

const record = (
  tx: Db,
  context: Deps,
  caller: ConsoleCaller,
  from: { ip: string },
  id: string,
  detail: { domain: string /** 0: removed. */; port: number },
) => audit(tx, context, actorOf(caller), from, { action: 'workload.domain', subject: `workload:${id}`, detail })

/** As ASCII, in lower case. @throws AppError domainName */
function readDomain({ config }: Pick<Context, 'config'>, given: string): string {
  const domain = toHostname(given)
  const ours = [config.ingress.url, config.publicUrl, config.servicesHost && `http://${config.servicesHost}`]
    .filter((url) => url !== '')
    .map((url) => new URL(url).hostname)
  // Names of ours would be proven by our own records.
  if (!domain || ours.some((name) => isWithin(domain, name))) throw new AppError('domainName')
  return domain
}
