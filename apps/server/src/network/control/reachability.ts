import { randomBytes } from 'node:crypto'
import { healthAnswer } from '@tidenet/contract'
import { guardedBytes, nodeAddressOf, nodeNetworkOf } from '@tidenet/daemon'
import { type Context, now } from '../context.ts'
import { plainAddress } from '../nodes/address-countries.ts'
import { applyAreaChange, findAreaChange } from '../nodes/node-areas.ts'
import { type Probed, setReached, setUnreachable, startDueProbes, startProbe } from '../nodes/nodes.ts'
import { healthText, isSignedBy } from '../nodes/signatures.ts'
import { timesOf } from '../nodes/times.ts'
import { checkReplicasOf } from '../placement/placement.ts'
import { placeOf } from '../relays/places.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'log'>

/** Only nodes that the server can reach are offered to browsers. */

const TIMEOUT_MS = 2000
const ANSWER_MAX = 4096
const CONCURRENCY = 20

/** Probes one node now, for example after its registration. */
export async function probeNode(context: Deps, nodeId: string): Promise<void> {
  const node = await startProbe(context.db, nodeId, now(context))
  if (node) await probe(context, node)
}

/** Probes the nodes that are due; several servers share them. */
export async function probeDue(context: Deps): Promise<void> {
  const due = await startDueProbes(context.db, timesOf(context.config), context.clock.now())
  const next = due.values()
  // The workers share one iterator, so each node is probed once.
  await Promise.all(
    Array.from({ length: Math.min(CONCURRENCY, due.length) }, async () => {
      for (const node of next) await probe(context, node)
    }),
  )
}

async function probe(context: Deps, node: Probed): Promise<void> {
  const address = await addressOf(node, context.config.privateNodes)
  const at = now(context)
  if (address === undefined) await setUnreachable(context.db, node, at)
  else {
    const place = placeOf(context, node.url)
    // A relay's address says nothing about the device behind it.
    const ip = node.relayed ? plainAddress(node.ip) : address
    const reached = { ip, address: nodeAddressOf(ip, place), network: nodeNetworkOf(ip, place) }
    await setReached(context.db, node, reached, at)
  }
  const change = await findAreaChange(context, context.db, node.id)
  if (!change) return
  await context.db.transaction(async (tx) => {
    if (await applyAreaChange(context, tx, change, at)) await checkReplicasOf(tx, node.id, at)
  })
}

/** The IP address from which the node answers at its URL with its signature over a nonce; undefined if it does not. */
async function addressOf(node: Probed, privateToo: boolean): Promise<string | undefined> {
  const nonce = randomBytes(16).toString('base64url')
  try {
    const { status, bytes, address } = await guardedBytes(`${node.url}/health?nonce=${nonce}`, {
      most: ANSWER_MAX,
      withinMs: TIMEOUT_MS,
      privateToo,
    })
    if (status !== 200) return undefined
    const parsed = healthAnswer.parse(JSON.parse(bytes.toString()))
    const isSigned = isSignedBy(node.public_key, healthText(node.id, nonce), parsed.signature)
    return parsed.node_id === node.id && isSigned ? plainAddress(address) : undefined
  } catch {
    return undefined
  }
}
