import { isPublicAddress } from '@tidenet/daemon'
import { countryOfArea, UNKNOWN } from '../../platform/areas.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'
import { countryOfAddress, plainAddress } from './address-countries.ts'
import { areaOfCountry } from './countries.ts'

/**
 * Where a node is. It decides which files the node may hold, so the node does not decide it: an operator does, or the address at which the
 * server reached the node.
 */

/** The area of nodes that may be anywhere. */
export const UNKNOWN_AREA = areaOfCountry(UNKNOWN)

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
export const regionBy: Sql = sql`case when n.assigned_area is not null then 'operator' when n.located_country is not null then 'address'
  when n.country = ${UNKNOWN} then 'nothing' else 'node' end`

/** What a node `n` says about its area; null if that is its area. */
export const declaredArea: Sql = sql`case when n.declared_area <> '' and n.declared_area <> n.area_id then n.declared_area end`

type Deps = Pick<Context, 'config' | 'log'>

/**
 * Computes the area of a node again, after anything it depends on has changed. A node in another country counts as a new arrival.
 * @returns whether its country has changed: its copies must be checked then
 */
export async function updateRegion({ config, log }: Deps, tx: Db, nodeId: string, at: Date): Promise<boolean> {
  const node = await tx.maybe<{
    area_id: string
    country: string
    declared_area: string
    assigned_area: string | null
    located_country: string | null
    address: string
  }>(sql`
    select area_id, country, declared_area, assigned_area, located_country, coalesce(reached_ip, ip) as address from nodes where id = ${nodeId}`)
  // An older server has registered it; its next registration decides.
  if (!node || node.declared_area === '') return false
  const { address, assigned_area: assigned, declared_area: declared } = node
  let located: string | undefined
  try {
    located = await countryOfAddress(config.regionDatabase, address)
  } catch (error) {
    // Not "unknown": every node would lose its area, and its copies of files that are restricted to it.
    log.error({ err: error }, 'the database of countries cannot be read; areas of nodes stay as they are')
    located = node.located_country ?? undefined
  }
  const trusting = config.environment !== 'production' && !isPublicAddress(plainAddress(address))
  const area = areaOf({ assigned, located, declared, trusting })
  if (area === node.area_id && (located ?? null) === node.located_country) return false
  // If another transaction has changed what this is computed from, it computes it too.
  const changed = await tx.maybe(sql`
    update nodes set area_id = ${area}, located_country = ${located ?? null},
      arrived_at = case when country <> ${countryOfArea(area)} then ${at} else arrived_at end
    where id = ${nodeId} and area_id = ${node.area_id} and declared_area = ${declared} and assigned_area is not distinct from ${assigned}
      and coalesce(reached_ip, ip) = ${address}
    returning 1`)
  return changed !== undefined && countryOfArea(area) !== node.country
}

/** Idempotent. @param area null: its address determines the area again */
export const assignArea = (tx: Db, nodeId: string, area: string | null) =>
  tx.run(sql`update nodes set assigned_area = ${area} where id = ${nodeId}`)
