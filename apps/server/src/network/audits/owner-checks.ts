import { ago } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { countCheck } from '../nodes/nodes.ts'
import * as placement from '../placement/placement.ts'
import { openAudits } from './open.ts'
import * as repository from './repository.ts'

/** An owner's browser checks a copy at the node itself. The answer must not depend on what the server does with the copy meanwhile. */

/** How long a copy that was lost or removed can still be checked: a page may show it as stored. */
const RECENT_MS = 10 * 60 * 1000
/** A copy is audited on request at most this often. */
const REQUEST_EVERY_MS = 60 * 1000

type Deps = Pick<Context, 'db' | 'clock'>
type Query = placement.ContentQuery
type Copy = Pick<placement.Copied, 'state' | 'suspect' | 'changed_at'>

const isPresent = ({ state, suspect }: Copy): boolean => state === 'stored' || state === 'unverified' || suspect

/** Whether the node has these bytes, as far as the server knows, or had them a few minutes ago. */
export function isCheckable(copy: Copy | undefined, at: Date): boolean {
  if (!copy) return false
  if (isPresent(copy)) return true
  return (copy.state === 'lost' || copy.state === 'removed') && copy.changed_at > ago(at, RECENT_MS)
}

/** Whether the owner may check the copy on this node. A failed audit may have removed it a moment ago. */
export async function canCheck(context: Deps, query: Query, nodeId: string): Promise<boolean> {
  const at = now(context)
  if (isCheckable(await placement.findCopy(context.db, query, nodeId), at)) return true
  return (await repository.recentAudits(context.db, query.cid, nodeId, at, ago(at, RECENT_MS))).failed
}

/**
 * Opens an audit of a copy that failed its owner's check. The report proves nothing by itself: only the audit counts.
 * An account can request ten per node and hour: failures count for the node, and passes do not.
 * @returns `audit`: one is open, or began within a minute; `removed`: the server had the copy deleted for another reason
 */
export async function auditOnRequest(
  context: Deps,
  query: Query,
  { nodeId, userId }: { nodeId: string; userId: number },
): Promise<{ audit: boolean; removed: boolean }> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    // Serializes requests for the copies of one content.
    await placement.lockContents(tx, [query.cid])
    const copy = await placement.findCopy(tx, query, nodeId)
    const audits = await repository.recentAudits(tx, query.cid, nodeId, ago(at, REQUEST_EVERY_MS), ago(at, RECENT_MS))
    const expected = copy !== undefined && isPresent(copy)
    const open = async () =>
      (await countCheck(tx, nodeId, userId, at)) &&
      (await openAudits(context, tx, [{ cid: query.cid, nodeId }], { requested: true }))
    return {
      audit: audits.recent || (expected && (await open())),
      removed: !audits.failed && (copy === undefined || copy.state === 'removed'),
    }
  })
}
