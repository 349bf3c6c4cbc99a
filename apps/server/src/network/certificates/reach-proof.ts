import { nodeLabelOf, nodeOriginOf } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { addressOf } from '../nodes/probe.ts'
import { relayPlacesOf } from '../relays/service.ts'
import type { UnreachedRow } from './queue-repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>

const TIMEOUT_MS = 3000

/**
 * Whether the server reached a node: at its address, at the one from which it calls, or through a relay, where it answers with its
 * signature over a nonce. What a node or a relay says about that does not count, because certificates are few.
 */
export async function isReached(context: Deps, node: UnreachedRow): Promise<boolean> {
  if (node.reachable && node.status !== 'offline') return true
  const { config } = context
  const places = await relayPlacesOf(context, node.node_id)
  const urls = places.map((place) => nodeOriginOf(place, nodeLabelOf(node.public_key), config.names.zone))
  if (node.claimed_url !== '') urls.push(node.claimed_url)
  const reached = await Promise.all(urls.map((url) => isReachedAt(context, node, url)))
  return reached.includes(true)
}

/** It has a certificate of its own making until there is one. */
async function isReachedAt(
  { config }: Pick<Context, 'config'>,
  { node_id: id, public_key }: Pick<UnreachedRow, 'node_id' | 'public_key'>,
  url: string,
): Promise<boolean> {
  const more = { withinMs: TIMEOUT_MS, anyCertificate: true }
  return (await addressOf({ id, public_key, url }, config.privateNodes, more)) !== undefined
}
