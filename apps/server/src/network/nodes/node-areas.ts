import { UNKNOWN_AREA } from '@tidenet/contract'
import { isPublicAddress } from '@tidenet/daemon'
import { ago } from '../../platform/ago.ts'
import { countryOfArea, UNKNOWN_COUNTRY } from '../../platform/areas.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'
import { countryOfAddress, plainAddress } from './address-countries.ts'
import { areaOfCountry } from './countries.ts'
import { placeInCountry } from './country-places.ts'
import { timesOf } from './times.ts'

/**
 * Where a node is. It decides which files the node may hold, so the node does not decide it: an operator does, or the address at which the
 * server reached the node.
 */

interface Evidence {
  /** By an operator. */
  assigned: string | null
  /** The country of its address. */
  located: string | undefined
  /** By the node. */
  declared: string
  /** Whether what the node says counts if nothing else is known. */
  trusting: boolean
}

/** The area of a node. The declared province and city count if the declared country is right. */
export function areaOf({ assigned, located, declared, trusting }: Evidence): string {
  if (assigned !== null) return assigned
  if (located !== undefined) return countryOfArea(declared) === located ? declared : areaOfCountry(located)
  return trusting ? declared : UNKNOWN_AREA
}

/** Where the area of a node `n` comes from. */
export const areaSource: Sql = sql`case when n.assigned_area is not null then 'operator' when n.located_country is not null then 'address'
  when n.country = ${UNKNOWN_COUNTRY} then 'nothing' else 'node' end`

/** The area that a node `n` declares; null if it declares none, or the one that it has. */
export const declaredArea: Sql = sql`case when n.declared_area not in ('', ${UNKNOWN_AREA}, n.area_id) then n.declared_area end`

type Deps = Pick<Context, 'config' | 'log'>

/** Another area than the node has, and what it was computed from. */
export interface AreaChange {
  nodeId: string
  before: {
    area_id: string
    country: string
    declared_area: string
    assigned_area: string | null
    located_country: string | null
    address: string
  }
  area: string
  located: string | null
}

/** Computes the area of a node again. @returns undefined if it is the one that the node has */
export async function findAreaChange({ config, log }: Deps, db: Db, nodeId: string): Promise<AreaChange | undefined> {
  const before = await db.maybe<AreaChange['before']>(sql`
    select area_id, country, declared_area, assigned_area, located_country, coalesce(reached_ip, ip) as address from nodes where id = ${nodeId}`)
  // An older server has registered it; its next registration decides.
  if (!before || before.declared_area === '') return undefined
  const { address, assigned_area: assigned, declared_area: declared } = before
  let located: string | undefined
  try {
    located = await countryOfAddress(config.countryDatabase, address)
  } catch (error) {
    // Not "unknown": every node would lose its area, and its copies of files that are restricted to it.
    log.error({ err: error }, 'the database of countries cannot be read; areas of nodes stay as they are')
    located = before.located_country ?? undefined
  }
  const trusting = config.environment !== 'production' && !isPublicAddress(plainAddress(address))
  const area = areaOf({ assigned, located, declared, trusting })
  if (area === before.area_id && (located ?? null) === before.located_country) return undefined
  return { nodeId, before, area, located: located ?? null }
}

/**
 * Changes the area of a node. A node in another country counts as a new arrival. An edge changes its country by its address only so often,
 * because all its copies are checked then; the next probe tries again.
 * @returns whether its country has changed: its copies must be checked then
 */
export async function applyAreaChange(
  { config }: Pick<Context, 'config'>,
  tx: Db,
  { nodeId, before, area, located }: AreaChange,
  at: Date,
): Promise<boolean> {
  const country = countryOfArea(area)
  const mayMove = sql`(kind <> 'edge' or country = ${country} or ${before.assigned_area !== null}
    or coalesce(country_since <= ${ago(at, timesOf(config).placedAnewEvery)}, true))`
  // If another transaction has changed what this is computed from, it computes it too.
  const changed = await tx.run(sql`
    update nodes set area_id = ${area}, located_country = ${located},
      arrived_at = case when country <> ${country} then ${at} else arrived_at end,
      country_since = case when country not in (${country}, ${UNKNOWN_COUNTRY}) and ${before.assigned_area === null} then ${at} else country_since end
    where id = ${nodeId} and area_id = ${before.area_id} and declared_area = ${before.declared_area}
      and assigned_area is not distinct from ${before.assigned_area} and coalesce(reached_ip, ip) = ${before.address}
      and ${mayMove}`)
  return changed > 0 && country !== before.country
}

/**
 * Computes and changes the area of a node. Call it after this transaction has changed what the area depends on.
 * @returns as `applyAreaChange`
 */
export async function updateArea(deps: Deps, tx: Db, nodeId: string, at: Date): Promise<boolean> {
  const change = await findAreaChange(deps, tx, nodeId)
  return change !== undefined && applyAreaChange(deps, tx, change, at)
}

/** Puts a node that does not say where it is into the middle of its country, for the map. */
export async function placeInArea(tx: Db, nodeId: string): Promise<void> {
  const node = await tx.maybe<{ country: string }>(sql`select country from nodes where id = ${nodeId}`)
  const place = placeInCountry(node?.country ?? '')
  if (!place) return
  const [latitude, longitude] = place
  await tx.run(sql`update nodes set latitude = ${latitude}, longitude = ${longitude} where id = ${nodeId}`)
}

/** Idempotent. @param area null: its address determines the area again */
export const assignArea = (tx: Db, nodeId: string, area: string | null) =>
  tx.run(sql`update nodes set assigned_area = ${area} where id = ${nodeId}`)
