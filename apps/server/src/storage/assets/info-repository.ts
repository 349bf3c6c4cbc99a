import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Contents per query. */
const BATCH = 5000

/** Yields the contents of an account in batches, each once, with the nodes they are restricted to. */
async function* contentsOf(db: Db, userId: number): AsyncGenerator<placement.ContentQuery[]> {
  for (let after = ''; ; ) {
    const rows = await db.rows<placement.ContentQuery>(sql`
      select distinct on (cid) cid, restricted_to from assets where user_id = ${userId} and cid > ${after}
      order by cid, restricted_to is not null limit ${BATCH}`)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < BATCH || !last) return
    after = last.cid
  }
}

/** Ids of the nodes that hold content of an account. */
export async function findHoldersOfAccount(db: Db, userId: number): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const contents of contentsOf(db, userId))
    for (const { node_id } of await placement.findHoldings(db, contents)) ids.add(node_id)
  return ids
}

interface Country {
  country: string
  copies: number
  files: number
  nodes: number
  nodes_online: number
}

/** Counts stored replicas of an account's assets by country, the largest first. */
export async function countByCountry(db: Db, userId: number): Promise<Country[]> {
  const countries = new Map<string, Country>()
  const seen = new Set<string>()
  const of = (country: string): Country => {
    const known = countries.get(country) ?? { country, copies: 0, files: 0, nodes: 0, nodes_online: 0 }
    countries.set(country, known)
    return known
  }
  for await (const contents of contentsOf(db, userId)) {
    for (const { node_id, country, online, copies } of await placement.findHoldings(db, contents)) {
      const sums = of(country)
      sums.copies += copies
      if (seen.has(node_id)) continue
      seen.add(node_id)
      sums.nodes += 1
      if (online) sums.nodes_online += 1
    }
    for (const { country, contents: files } of await placement.countHeldByCountry(db, contents))
      of(country).files += files
  }
  return [...countries.values()].sort((a, b) => b.copies - a.copies || (a.country < b.country ? -1 : 1))
}
