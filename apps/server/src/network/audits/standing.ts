import { type Context, now } from '../context.ts'
import { applyChange, countHeldBack, findDueChanges, STANDING_CHANGES, trackAbnormal } from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import { checkReplicasOf } from '../placement/placement.ts'

/** Nodes per change and run. */
const BATCH = 100

/** Nodes that were held back when this server last said so. */
let heldBack = 0

/** Vets edges, starts and ends draining, and stops counting copies on unreachable nodes. The contents of these nodes are placed again. */
export async function reviewStanding(context: Pick<Context, 'db' | 'clock' | 'config' | 'log'>): Promise<void> {
  const { db, config, log } = context
  const at = now(context)
  const times = timesOf(config)
  await trackAbnormal(db, at)
  for (const change of STANDING_CHANGES)
    for (const id of await findDueChanges(db, change, times, BATCH, at)) {
      // Contents before nodes: the order in which audits lock them.
      const changed = await db.transaction(async (tx) => {
        await checkReplicasOf(tx, id, at)
        return applyChange(tx, id, change, times, at)
      })
      if (changed) log.info({ node: id, change }, 'the standing of a node changed')
    }
  const held = await countHeldBack(db, times, at)
  if (held > heldBack)
    log.error(
      { nodes: held },
      'many nodes fail at once, so they do not drain and stay vetted: check the validators, the network and the clock',
    )
  heldBack = held
}
