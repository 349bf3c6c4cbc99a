import { randomBytes } from 'node:crypto'
import { healthAnswer } from '@tidenet/contract'
import { guardedBytes, nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { healthText, isSignedBy } from '../nodes/signatures.ts'
import { relayPlacesOf } from '../relays/service.ts'
import type { UnreachedRow } from './queue-repository.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>

const TIMEOUT_MS = 3000
const ANSWER_MAX = 4096

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

async function isReachedAt(
  { config }: Pick<Context, 'config'>,
  { node_id, public_key }: Pick<UnreachedRow, 'node_id' | 'public_key'>,
  { address, port }: { address: string; port: number },
): Promise<boolean> {
  const name = nodeNameOf(address, nodeLabelOf(public_key), config.names.zone)
  const nonce = randomBytes(16).toString('base64url')
  try {
    const { status, bytes } = await guardedBytes(`https://${name}:${port}/health?nonce=${nonce}`, {
      most: ANSWER_MAX,
      withinMs: TIMEOUT_MS,
      privateToo: config.privateNodes,
      // It has a certificate of its own making until there is one. Its signature proves who it is.
      once: true,
      anyCertificate: true,
    })
    const parsed = healthAnswer.parse(JSON.parse(bytes.toString()))
    const isSigned = isSignedBy(public_key, healthText(node_id, nonce), parsed.signature)
    return status === 200 && parsed.node_id === node_id && isSigned
  } catch {
    return false
  }
}
