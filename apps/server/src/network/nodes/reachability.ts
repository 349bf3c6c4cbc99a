import { randomBytes } from 'node:crypto'
import { healthAnswer } from '@tidenet/contract'
import { guardedBytes } from '@tidenet/daemon'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { healthText, isSignedBy } from './signatures.ts'
import { timesOf } from './times.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config'>

/** Only nodes that the server reaches from outside are offered to browsers. */

const TIMEOUT_MS = 2000
const ANSWER_MAX = 4096
const AT_ONCE = 20

interface Probed {
  id: string
  public_key: string
  url: string
}

/** Tries one node now, as after its registration. */
export async function probeNode(context: Needs, nodeId: string): Promise<void> {
  const node = await context.db.maybe<Probed>(
    sql`update nodes set reachable_at = ${now(context)} where id = ${nodeId} returning id, public_key, url`,
  )
  if (node) await note(context, node)
}

/** Tries the nodes whose turn it is; several servers share them. */
export async function probeDue(context: Needs): Promise<void> {
  const at = context.clock.now()
  const times = timesOf(context.config)
  const due = await context.db.rows<Probed>(sql`
    with due as (
      select id from nodes where status <> 'offline' and (reachable_at is null
        or reachable_at <= case when reachable then ${new Date(at - times.probeReachable)}::timestamptz else ${new Date(at - times.probeUnreachable)}::timestamptz end)
      order by reachable_at nulls first limit 200 for update skip locked
    )
    update nodes n set reachable_at = ${new Date(at)} from due where n.id = due.id returning n.id, n.public_key, n.url`)
  const next = due.values()
  // The workers share one iterator, so each node is tried once.
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, due.length) }, async () => {
      for (const node of next) await note(context, node)
    }),
  )
}

async function note(context: Needs, node: Probed): Promise<void> {
  const reachable = await answers(node, context.config.privateNodes)
  // Unless the node has moved in the meantime.
  await context.db.run(
    sql`update nodes set reachable = ${reachable} where id = ${node.id} and url = ${node.url} and reachable <> ${reachable}`,
  )
}

/** Whether the node itself answers at its address, with its own signature over a nonce. */
export async function answers(node: Probed, privateToo: boolean): Promise<boolean> {
  const nonce = randomBytes(16).toString('base64url')
  try {
    const { status, bytes } = await guardedBytes(`${node.url}/health?nonce=${nonce}`, {
      most: ANSWER_MAX,
      withinMs: TIMEOUT_MS,
      privateToo,
    })
    if (status !== 200) return false
    const parsed = healthAnswer.parse(JSON.parse(bytes.toString()))
    return parsed.node_id === node.id && isSignedBy(node.public_key, healthText(node.id, nonce), parsed.signature)
  } catch {
    return false
  }
}
