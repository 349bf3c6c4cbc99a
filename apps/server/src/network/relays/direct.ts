import { clientNetworkOf, isPublicAddress, nodeLabelOf, nodeOriginOf } from '@tidenet/daemon'
import { ago } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { directUrlOf, setClaimedUrl, setDirect, startDirectCheck } from '../nodes/nodes.ts'
import { addressOf } from '../nodes/probe.ts'
import { timesOf } from '../nodes/times.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>
interface Place {
  address: string
  port: number
  /** Whether the node has a certificate there. */
  certified: boolean
}

/** A place that did not hold, or another one, is tried this often at most. */
const AGAIN_MS = 5000

/**
 * Whether clients are sent to the node itself instead of its relays: the server fetched its signature over a nonce by https at the place that
 * it claims. It is tried again as often as other nodes are probed, and ends with the first failure. A node without a certificate is not
 * reached for clients, but its claim is kept: it may be what it gets its first certificate for (`certificates/reach-proof.ts`).
 * @param claim undefined: the node is not reached directly, or not any more
 * @param ip from which the node calls
 */
export async function isReachedDirectly(
  context: Deps,
  node: { id: string; public_key: string },
  claim: Place | undefined,
  ip: string,
): Promise<boolean> {
  const { db, config } = context
  const held = await directUrlOf(db, node.id)
  const at = now(context)
  if (!claim || !isAllowed(claim.address, ip, config.privateNodes)) {
    await setClaimedUrl(db, node.id, '', at)
    if (held !== '') await setDirect(db, node.id, '')
    return false
  }
  const url = nodeOriginOf(claim, nodeLabelOf(node.public_key), config.names.zone)
  await setClaimedUrl(db, node.id, url, at)
  if (!claim.certified) return false
  const wait = url === held ? timesOf(config).probeReachable : AGAIN_MS
  if (!(await startDirectCheck(db, node.id, ago(at, wait), at))) return url === held
  const isReached = (await addressOf({ ...node, url }, config.privateNodes)) !== undefined
  await setDirect(db, node.id, isReached ? url : '')
  return isReached
}

/**
 * A node can make the server connect to its own address only, the one from which it calls. In a network with private nodes, other private
 * addresses are allowed too: its programs call from any of their machine's addresses.
 */
const isAllowed = (address: string, ip: string, privateNodes: boolean): boolean =>
  isPublicAddress(address) ? clientNetworkOf(address) === clientNetworkOf(ip) : privateNodes
