import { randomInt } from 'node:crypto'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** Relays of a node: if one dies, the other one is connected already. */
const RELAYS_OF_NODE = 2
/** A node that was away as long gets other relays. */
const FORGET_MS = 7 * DAY
/** Nodes ask every minute. */
const HOUR = 3_600_000

/**
 * The relays of a node. They are chosen at random and kept, also over their outages: from a rule that follows from the ids, the owner of a
 * relay could register ids until it serves the node of its choice.
 * @param offered relays that work now
 */
export async function relaysFor<R extends { node_id: string }>(
  db: Db,
  nodeId: string,
  offered: readonly R[],
  at: Date,
): Promise<R[]> {
  const others = new Map(offered.filter((relay) => relay.node_id !== nodeId).map((relay) => [relay.node_id, relay]))
  const known = await findChoices(db, nodeId)
  const chosen = known.filter(({ relay_id }) => others.has(relay_id)).slice(0, RELAYS_OF_NODE)
  const left = [...others.keys()].filter((id) => !known.some(({ relay_id }) => relay_id === id))
  while (chosen.length < RELAYS_OF_NODE && left.length > 0)
    chosen.push(...left.splice(randomInt(left.length), 1).map((relay_id) => ({ relay_id })))
  const ids = chosen.map(({ relay_id }) => relay_id)
  await keepChoices(db, nodeId, ids, at)
  return ids.flatMap((id) => others.get(id) ?? [])
}

const findChoices = (db: Db, nodeId: string) =>
  db.rows<{ relay_id: string }>(
    sql`select relay_id from relay_choices where node_id = ${nodeId} order by chosen_at, relay_id`,
  )

const keepChoices = (db: Db, nodeId: string, relayIds: readonly string[], at: Date) =>
  db.run(sql`
    insert into relay_choices as c (node_id, relay_id, chosen_at, used_at)
    -- A ms apart, because the first one is used first.
    select ${nodeId}, relay_id, ${at}::timestamptz + place * interval '1 millisecond', ${at}
    from unnest(${[...relayIds]}::text[]) with ordinality r (relay_id, place) order by relay_id
    on conflict (node_id, relay_id) do update set used_at = excluded.used_at where c.used_at < ${ago(at, HOUR)}`)

/** Of these nodes, those that were given this relay lately. */
export async function nodesOfRelay(db: Db, relayId: string, nodeIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ node_id: string }>(
    sql`select node_id from relay_choices where relay_id = ${relayId} and node_id = any(${[...nodeIds]})`,
  )
  return new Set(rows.map(({ node_id }) => node_id))
}

export const expired = (at: Date): Sql => sql`
  delete from relay_choices where (node_id, relay_id) in (
    select node_id, relay_id from relay_choices where used_at < ${ago(at, FORGET_MS)} limit ${EXPIRED_BATCH})`
