import { promises } from 'node:dns'
import { isIP } from 'node:net'

/** Whether a domain of a customer points here, and whether it is theirs. Only DNS is asked; nothing is connected to. */

/** `node:dns` promises, or a `Resolver` of it with servers of one's own. */
export type DomainResolver = Pick<
  promises.Resolver,
  'resolve4' | 'resolve6' | 'resolveCname' | 'resolveTxt' | 'resolveCaa'
>

export type PointsHere =
  | { isHere: true }
  | {
      isHere: false
      /** `unresolvable`: its name servers do not answer. */
      code: 'not-pointing-here' | 'unresolvable' | 'caa'
      /** In English, for people. */
      detail: string
    }

export type DomainProof =
  | { isVerified: true; by: 'cname' | 'txt' }
  | { isVerified: false; code: 'not-verified' | 'unresolvable'; detail: string }

/** Label of the text that proves who owns a domain: `_tidenet.<domain>`. */
export const PROOF_LABEL = '_tidenet'
/** More are a loop, or nobody's serious domain. */
const CNAMES_MAX = 8

/** A resolver that gives up after 10 s. @param servers such as `1.1.1.1` or `127.0.0.1:5353`; default: those of the system */
export function createDomainResolver(servers?: readonly string[]): DomainResolver {
  const resolver = new promises.Resolver({ timeout: 5000, tries: 2 })
  if (servers && servers.length > 0) resolver.setServers(servers)
  return resolver
}

/**
 * Whether all addresses of a domain are ours: a CA asks any of them, and IPv6 first. With `issuers`, also whether the CAA records of the
 * domain allow one of them.
 * @param options.addresses of the ingress
 * @param options.issuers the CA's names in CAA records, such as `letsencrypt.org`
 */
export async function pointsHere(options: {
  domain: string
  addresses: readonly string[]
  issuers?: readonly string[]
  resolver: DomainResolver
}): Promise<PointsHere> {
  const { domain, addresses, issuers, resolver } = options
  try {
    const found = (await Promise.all([known(resolver.resolve4(domain)), known(resolver.resolve6(domain))])).flat()
    const ours = new Set(addresses.map(plainAddress))
    const foreign = found.filter((address) => !ours.has(plainAddress(address)))
    if (found.length === 0) return notHere(`${domain} has no address.`)
    if (foreign.length > 0) return notHere(`${domain} has the address ${foreign.join(', ')}.`)
    const allowed = issuers ? await issuersOf(domain, resolver) : undefined
    if (allowed && !issuers?.some((issuer) => allowed.includes(issuer)))
      return {
        isHere: false,
        code: 'caa',
        detail: `The CAA records of ${domain} allow only ${allowed.join(', ') || 'nobody'}.`,
      }
    return { isHere: true }
  } catch (error) {
    return { isHere: false, code: 'unresolvable', detail: unresolvable(domain, error) }
  }
}

/**
 * Whether a domain belongs to a customer. Either the domain is an alias (CNAME, also over several) of a name that is theirs alone, or the
 * text `_tidenet.<domain>` is their token.
 * @param options.targets names of the customer's own program, none that customers share: everybody whose domain points to a shared name
 * would own it
 * @param options.token for this customer and domain, which others cannot guess, such as an HMAC of both
 */
export async function verifyDomain(options: {
  domain: string
  targets: readonly string[]
  token: string
  resolver: DomainResolver
}): Promise<DomainProof> {
  const { domain, targets, token, resolver } = options
  const isTarget = new Set(targets.map(plainName))
  try {
    let name = domain
    for (let hop = 0; hop < CNAMES_MAX; hop++) {
      const [next] = await known(resolver.resolveCname(name))
      if (next === undefined) break
      if (isTarget.has(plainName(next))) return { isVerified: true, by: 'cname' }
      name = next
    }
    const texts = await known(resolver.resolveTxt(`${PROOF_LABEL}.${domain}`))
    if (token !== '' && texts.some((parts) => parts.join('').trim() === token)) return { isVerified: true, by: 'txt' }
    return {
      isVerified: false,
      code: 'not-verified',
      detail: `${domain} is no alias of ${targets[0]}, and ${PROOF_LABEL}.${domain} is not the token.`,
    }
  } catch (error) {
    return { isVerified: false, code: 'unresolvable', detail: unresolvable(domain, error) }
  }
}

/** Empty if there is no such name or record. @throws if the name servers do not answer, or fail */
async function known<T>(records: Promise<T[]>): Promise<T[]> {
  try {
    return await records
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    throw error
  }
}

/** The CAs that the nearest CAA records name (RFC 8659); undefined: every CA may issue. */
async function issuersOf(domain: string, resolver: DomainResolver): Promise<string[] | undefined> {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const records = await known(resolver.resolveCaa(name))
    if (records.length === 0) continue
    const issue = records.flatMap((record) => (record.issue === undefined ? [] : [record.issue]))
    // Records of other kinds restrict nothing.
    return issue.length > 0 ? issue.map((value) => (value.split(';')[0] ?? '').trim()).filter(Boolean) : undefined
  }
  return undefined
}

const notHere = (detail: string): PointsHere => ({ isHere: false, code: 'not-pointing-here', detail })
const unresolvable = (domain: string, error: unknown) =>
  `${domain} cannot be resolved (${(error as NodeJS.ErrnoException).code ?? String(error)}).`
const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** IPv6 addresses have several spellings. */
const plainAddress = (address: string): string =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address
