import { AppError, type contract, type Parsed } from '@tidenet/contract'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { hostnameOf, labelOf } from '../workspaces/labels.ts'
import { hostOf, OWN_PATHS } from './gate.ts'
import { findAddress } from './targets.ts'
import { newPass, sealPass, TICKET_MS } from './tickets.ts'

/** The address with a ticket for its account. @throws AppError notPublished */
export async function openAddress(
  { config, db, clock, keys }: Pick<Context, 'config' | 'db' | 'clock' | 'keys'>,
  caller: ConsoleCaller,
  { host, path }: Parsed<typeof contract.clusters.open>,
): Promise<{ url: string }> {
  const domain = config.ingress.url === '' ? undefined : new URL(config.ingress.url)
  const label = domain && (labelOf(host, domain.hostname) ?? hostnameOf(host))
  const row = label ? await findAddress(db, label) : undefined
  // The same error for programs of other accounts, so that addresses cannot be probed.
  if (!domain || !label || row?.user_id !== caller.userId || row.access === 'none' || row.access === 'tcp')
    throw new AppError('notPublished')
  const by = { session: caller.session.toString('hex') }
  const { workload } = row
  const until = clock.now() + TICKET_MS
  const ticket = sealPass(keys.ingress, newPass({ kind: 'ticket', label, workload, by, until }))
  return {
    url: `${domain.protocol}//${hostOf(domain, label)}${OWN_PATHS}enter?${new URLSearchParams({ ticket, to: path })}`,
  }
}
