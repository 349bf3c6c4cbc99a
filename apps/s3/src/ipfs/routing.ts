import type { Published } from './published.ts'
import { type AnyCid, digestOf, readAnyCid } from './read-cid.ts'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

/** Delegated routing: tells clients of IPFS that these gateways have what is published, and nothing else. */

export interface Peer {
  id: string
  /** Multiaddrs. */
  addresses: readonly string[]
}

export interface Routed {
  type: string
  body: string
  cache: string
}

/** Ends within this time after a publication ended. */
const POSITIVE = 'public, max-age=15'
const NEGATIVE = 'public, max-age=5'
const PROTOCOL = 'transport-ipfs-gateway-http'

/** @param path behind `/routing/v1/` @throws Refusal */
export async function routed(
  published: Published,
  peer: Peer,
  { path, query, accept = '' }: { path: string; query: URLSearchParams; accept?: string | undefined },
): Promise<Routed> {
  const [group, name = '', ...rest] = path.split('/')
  if (rest.length > 0) throw new Refusal(404, texts.badPath)
  const record = { Schema: 'peer', ID: peer.id, Addrs: peer.addresses, Protocols: [PROTOCOL] }
  const answer = (field: 'Providers' | 'Peers', isKnown: boolean): Routed => {
    const list = isKnown && isWanted(query, peer) ? [record] : []
    const cache = list.length > 0 ? POSITIVE : NEGATIVE
    if (accept.toLowerCase().includes('application/x-ndjson'))
      return { type: 'application/x-ndjson', body: list.map((each) => `${JSON.stringify(each)}\n`).join(''), cache }
    return { type: 'application/json', body: JSON.stringify({ [field]: list }), cache }
  }
  if (group === 'providers') {
    const cid = readAnyCid(name)
    if (!cid) throw new Refusal(400, texts.badCid)
    return answer('Providers', await isPublished(published, cid))
  }
  if (group === 'peers') return answer('Peers', name === peer.id)
  if (group === 'ipns') throw new Refusal(501, texts.ipns)
  throw new Refusal(404, texts.badPath)
}

async function isPublished(published: Published, cid: AnyCid): Promise<boolean> {
  const digest = digestOf(cid)
  return digest !== undefined && (await published.find(digest)).length > 0
}

/** `filter-protocols` and `filter-addrs` (IPIP-484): a list of names, with `!` those that must not be there. */
function isWanted(query: URLSearchParams, { addresses }: Peer): boolean {
  const listOf = (name: string) => (query.get(name) ?? '').toLowerCase().split(',').filter(Boolean)
  const protocols = listOf('filter-protocols')
  if (protocols.length > 0 && !protocols.includes(PROTOCOL)) return false
  const filters = listOf('filter-addrs')
  const parts = new Set(addresses.flatMap((address) => address.split('/')))
  if (filters.some((filter) => filter.startsWith('!') && parts.has(filter.slice(1)))) return false
  const wanted = filters.filter((filter) => !filter.startsWith('!'))
  return wanted.length === 0 || wanted.some((filter) => parts.has(filter))
}
