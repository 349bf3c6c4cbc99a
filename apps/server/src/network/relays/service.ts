import { AppError, type contract, type Output, type Parsed, type RelayTicket } from '@tidenet/contract'
import {
  isPublicAddress,
  nodeAddressOf,
  nodeLabelOf,
  nodeNameOf,
  nodeNetworkOf,
  nodeOriginOf,
  readNodeName,
} from '@tidenet/daemon'
import { type Context, now } from '../context.ts'
import { extraRootOf } from '../names/local-ca.ts'
import { signRelayTicket } from '../nodes/node-tokens.ts'
import { publicKeyOf, setCalledFrom, setRelayUrls } from '../nodes/nodes.ts'
import { relaysFor } from './choose.ts'
import { noteClonedKeys } from './cloned-keys.ts'
import { isReachedDirectly } from './direct.ts'
import { recordRelayed } from './relayed.ts'
import { deleteRelay, findOwnRelay, findRelays, isCertificateDue, type RelayRow, setRelay } from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys'>

/** A relay reports every minute. */
const SEEN_MS = 5 * 60_000
/** Visitors of a node at a time, on each relay. */
const VISITORS = 64

/**
 * The relays of a node, with tickets. A node that serves as a relay itself is recorded; it is offered to others after it was reached.
 * @param ip from which it calls
 * @throws AppError zoneMissing, relayRefused
 */
export async function relaysOf(
  context: Deps,
  nodeId: string,
  { serves, direct, cloned, relayed }: Parsed<typeof contract.nodeControl.relays>,
  ip: string,
): Promise<Output<typeof contract.nodeControl.relays>> {
  const { names, privateNodes } = context.config
  const { zone } = names
  if (zone === '') throw new AppError('zoneMissing')
  const at = now(context)
  const key = await publicKeyOf(context.db, nodeId)
  if (!key) throw new AppError('unauthorized')
  if (serves) {
    // The kind is in the id: edges are anyone's.
    if (nodeId.startsWith('e_') || !(privateNodes || isPublicAddress(serves.address)))
      throw new AppError('relayRefused')
    await setRelay(context.db, nodeId, serves, at)
  } else await deleteRelay(context.db, nodeId)
  const offered = await offeredRelays(context)
  if (cloned.length > 0) await noteClonedKeys(context.db, cloned, { nodeId, label: nodeLabelOf(key) }, at)
  if (relayed.length > 0) await recordRelayed(context, { id: nodeId, key }, relayed)
  const chosen = serves ? [] : await relaysFor(context.db, nodeId, offered, at)
  const origins = chosen.map((relay) => nodeOriginOf(relay, nodeLabelOf(key), zone))
  await setRelayUrls(context.db, nodeId, origins)
  const place = nodeLabelOf(key)
  await setCalledFrom(context.db, nodeId, { ip, address: nodeAddressOf(ip, place), network: nodeNetworkOf(ip, place) })
  const isDirect = await isReachedDirectly(context, { id: nodeId, public_key: key }, direct, ip)
  const relays = chosen.map(async ({ node_id, public_key, address, port }) => ({
    node_id,
    // The relay's own name: the device checks its certificate.
    name: nodeNameOf(address, nodeLabelOf(public_key), zone),
    address,
    port,
    ticket: await signRelayTicket(context, { aud: node_id, sub: nodeId, key, most: VISITORS } satisfies Ticket),
  }))
  return {
    zone,
    ca: await extraRootOf(context),
    direct: isDirect,
    relays: await Promise.all(relays),
    certificate_due: names.tls === 'acme' && (await isCertificateDue(context.db, nodeId, at)),
  }
}

/** Relays that work now: the server reached them where they serve. */
async function offeredRelays({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<RelayRow[]> {
  const { zone } = config.names
  const found = await findRelays(db, zone, new Date(clock.now() - SEEN_MS))
  return found.filter((relay) => isAtOwnUrl(relay, zone))
}

/** Where a node may be reached through relays, or as a relay. */
export async function relayPlacesOf(
  context: Pick<Deps, 'config' | 'db' | 'clock'>,
  nodeId: string,
): Promise<{ address: string; port: number }[]> {
  const own = await findOwnRelay(context.db, nodeId)
  return own ? [own] : await relaysFor(context.db, nodeId, await offeredRelays(context), now(context))
}

/** Where it serves is where the server reached it: otherwise, a relay could send all its devices to the address of somebody else. */
function isAtOwnUrl({ url, address, port, public_key }: RelayRow, zone: string): boolean {
  const { hostname, port: reached } = new URL(url)
  const name = readNodeName(hostname, zone)
  return name?.address === address && name.label === nodeLabelOf(public_key) && Number(reached || 443) === port
}

type Ticket = Omit<RelayTicket, 'typ' | 'exp'>
