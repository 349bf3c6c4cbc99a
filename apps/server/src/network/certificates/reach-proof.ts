import { nodeLabelOf, nodeOriginOf } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { addressOf } from '../nodes/probe.ts'
import { relayPlacesOf } from '../relays/service.ts'
import type { UnreachedRow } from './queue-repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>

const TIMEOUT_MS = 3000

/**
 * Whether the server reached a node: at its address, or through a relay, where it answers with its signature over a nonce. What a node or
 * a relay says about that does not count, because certificates are few.
 */
export async function isReached(context: Deps, node: UnreachedRow): Promise<boolean> {
  if (node.reachable && node.status !== 'offline') return true
  const places = await relayPlacesOf(context, node.node_id)
  const reached = await Promise.all(places.map((place) => isReachedAt(context, node, place)))
  return reached.includes(true)
}

/** It has a certificate of its own making until there is one. */
async function isReachedAt(
  { config }: Pick<Context, 'config'>,
  { node_id: id, public_key }: Pick<UnreachedRow, 'node_id' | 'public_key'>,
  place: { address: string; port: number },
): Promise<boolean> {
  const url = nodeOriginOf(place, nodeLabelOf(public_key), config.names.zone)
  const more = { withinMs: TIMEOUT_MS, anyCertificate: true }
  return (await addressOf({ id, public_key, url }, config.privateNodes, more)) !== undefined
}
