import { createHmac } from 'node:crypto'
import type { ConsoleWorkload } from '@tidenet/contract'
import type { Context } from '../context.ts'
import type { DomainRow } from './domains-repository.ts'

/** Domains of programs in the format of the API. */

/** A domain whose records went away is given up after this time; until then it comes back by itself. */
export const LOST_AFTER_MS = 72 * 3_600_000
export const UNPROVEN_AFTER_MS = 7 * 24 * 3_600_000

/** Whether programs can have domains of their own: certificates for them are ordered by ACME. */
export const offersDomains = ({ ingress }: Context['config']): boolean =>
  ingress.url !== '' && ingress.acme.directory !== ''

/** The text below `_tidenet.` that proves a domain without an alias, such as one without a label before it. Others cannot guess it. */
export const domainToken = (keys: Pick<Context['keys'], 'ingress'>, workload: string, domain: string): string =>
  `tidenet-${createHmac('sha256', keys.ingress).update(`domain ${workload} ${domain}`).digest('base64url').slice(0, 32)}`

/** @param target the host name of the program's port, which the domain must be an alias of */
export const toWireDomain = (
  keys: Pick<Context['keys'], 'ingress'>,
  { domain, workload_id, port, proven_at, problem, detail, certificate_until }: DomainRow,
  target: string,
): ConsoleWorkload['domains'][number] => ({
  domain,
  port,
  target,
  token: domainToken(keys, workload_id, domain),
  proven: proven_at !== null,
  problem,
  detail,
  certificate_until: certificate_until?.toISOString() ?? '',
  lost_at:
    proven_at && (problem === 'record' || problem === 'dns')
      ? new Date(proven_at.getTime() + LOST_AFTER_MS).toISOString()
      : '',
})
