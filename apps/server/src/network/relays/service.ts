import { createHash } from 'node:crypto'
import { AppError, type contract, type Output, type Parsed, type RelayTicket } from '@tidenet/contract'
import { isPublicAddress, nodeLabelOf, nodeNameOf, nodeOriginOf, readNodeName } from '@tidenet/daemon'
import { extraRootOf } from '../certificates/service.ts'
import { type Context, now } from '../context.ts'
import { signRelayTicket } from '../nodes/node-tokens.ts'
import { publicKeyOf, setRelayUrls } from '../nodes/nodes.ts'
import { isReachedDirectly } from './direct.ts'
import { deleteRelay, findRelays, type RelayRow, setRelay } from './repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys'>

/** A relay reports every minute. */
const SEEN_MS = 5 * 60_000
/** Relays of a node: if one dies, the other one is connected already. */
const RELAYS_OF_NODE = 2
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
  { serves, direct }: Parsed<typeof contract.nodeControl.relays>,
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
  const found = await findRelays(context.db, zone, new Date(at.getTime() - SEEN_MS))
  const others = found.filter((relay) => relay.node_id !== nodeId && isAtOwnUrl(relay, zone))
  const chosen = chooseRelays(nodeId, others).slice(0, serves ? 0 : RELAYS_OF_NODE)
  const origins = chosen.map((relay) => nodeOriginOf(relay, nodeLabelOf(key), zone))
  await setRelayUrls(context.db, nodeId, origins)
  const isDirect = await isReachedDirectly(context, { id: nodeId, public_key: key }, direct, ip)
  const relays = chosen.map(async ({ node_id, public_key, address, port }) => ({
    node_id,
    // The relay's own name: the device checks its certificate.
    name: nodeNameOf(address, nodeLabelOf(public_key), zone),
    address,
    port,
    ticket: await signRelayTicket(context, { aud: node_id, sub: nodeId, key, most: VISITORS } satisfies Ticket),
  }))
  return { zone, ca: await extraRootOf(context), direct: isDirect, relays: await Promise.all(relays) }
}

/** Where it serves is where the server reached it: otherwise, a relay could send all its devices to the address of somebody else. */
function isAtOwnUrl({ url, address, port, public_key }: RelayRow, zone: string): boolean {
  const { hostname, port: reached } = new URL(url)
  const name = readNodeName(hostname, zone)
  return name?.address === address && name.label === nodeLabelOf(public_key) && Number(reached || 443) === port
}

type Ticket = Omit<RelayTicket, 'typ' | 'exp'>

/** The same node gets the same relays as long as they exist, and nodes are spread evenly (rendezvous hashing). */
export function chooseRelays<R extends { node_id: string }>(nodeId: string, relays: readonly R[]): R[] {
  const weight = ({ node_id }: R) => createHash('sha256').update(`${nodeId}\n${node_id}`).digest('hex')
  return relays
    .map((relay) => ({ relay, weight: weight(relay) }))
    .sort((a, b) => (a.weight < b.weight ? 1 : -1))
    .map(({ relay }) => relay)
}
