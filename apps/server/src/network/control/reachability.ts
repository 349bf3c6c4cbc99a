import { randomBytes } from 'node:crypto'
import { healthAnswer } from '@tidenet/contract'
import { guardedBytes, nodeNetworkOf } from '@tidenet/daemon'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { plainAddress } from '../nodes/address-countries.ts'
import { updateRegion } from '../nodes/regions.ts'
import { healthText, isSignedBy } from '../nodes/signatures.ts'
import { timesOf } from '../nodes/times.ts'
import { checkReplicasOf } from '../placement/placement.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'log'>

/** Only nodes that the server can reach are offered to browsers. */

const TIMEOUT_MS = 2000
const ANSWER_MAX = 4096
const CONCURRENCY = 20

interface Probed {
  id: string
  public_key: string
  url: string
}

/** Probes one node now, for example after its registration. */
export async function probeNode(context: Deps, nodeId: string): Promise<void> {
  const node = await context.db.maybe<Probed>(
    sql`update nodes set reachable_at = ${now(context)} where id = ${nodeId} returning id, public_key, url`,
  )
  if (node) await probe(context, node)
}

/** Probes the nodes that are due; several servers share them. */
export async function probeDue(context: Deps): Promise<void> {
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
  // The result is void if the node's URL has changed meanwhile.
  const is = sql`id = ${node.id} and url = ${node.url}`
  if (address === undefined)
    await context.db.run(sql`
      update nodes set reachable = false, unreachable_since = coalesce(unreachable_since, ${at}) where ${is} and (reachable or unreachable_since is null)`)
  else {
    const network = nodeNetworkOf(address, new URL(node.url).port)
    await context.db.run(sql`
      update nodes set reachable = true, reached_ip = ${address}, unreachable_since = null, network = ${network},
        eligible_at = case when reachable then eligible_at else ${at} end
      where ${is}
        and (not reachable or reached_ip is distinct from ${address} or network <> ${network} or unreachable_since is not null)`)
  }
  await context.db.transaction(async (tx) => {
    if (await updateRegion(context, tx, node.id, at)) await checkReplicasOf(tx, node.id, at)
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
