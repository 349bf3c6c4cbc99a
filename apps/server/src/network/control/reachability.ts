import { nodeAddressOf, nodeNetworkOf } from '@tidenet/daemon'
import { type Context, now } from '../context.ts'
import { plainAddress } from '../nodes/address-countries.ts'
import { applyAreaChange, findAreaChange } from '../nodes/node-areas.ts'
import { endDirect, type Probed, setReached, setUnreachable, startDueProbes, startProbe } from '../nodes/nodes.ts'
import { addressOf } from '../nodes/probe.ts'
import { timesOf } from '../nodes/times.ts'
import { checkReplicasOf } from '../placement/placement.ts'
import { placeOf } from '../relays/places.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'log'>

/** Only nodes that the server can reach are offered to browsers. */

const CONCURRENCY = 20
/** A node that is reached directly has it tried every minute or so; without that, it is not offered any more after so many intervals. */
const DIRECT_LAPSES = 3

/** Probes one node now, for example after its registration. */
export async function probeNode(context: Deps, nodeId: string): Promise<void> {
  const node = await startProbe(context.db, nodeId, now(context))
  if (node) await probe(context, node)
}

/** Probes the nodes that are due; several servers share them. */
export async function probeDue(context: Deps): Promise<void> {
  const times = timesOf(context.config)
  await endDirect(context.db, new Date(context.clock.now() - DIRECT_LAPSES * times.probeReachable))
  const due = await startDueProbes(context.db, times, context.clock.now())
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
