import type { MapPoint as Node } from '@tidenet/contract'
import { areaName, countryOf } from '../../lib/areas.ts'
import type { MapPoint } from '../../ui/world-map-types.ts'

/** A node of `network.map` as a map point, titled by its city. */
export function pointOf({ node_id, name, nodeType, area_id, status, value: [lat, lng] }: Node): MapPoint {
  const kind = nodeType === 2 || nodeType === 3 ? nodeType : 1
  const [title, country] = [areaName(name), countryOf(area_id)]
  return { id: node_id, lat, lng, kind, status, title, ...(country !== title && { detail: country }) }
}

/** The status of a place: online while at least one of its nodes is online. */
export const statusOf = (online: number): MapPoint['status'] => (online > 0 ? 'online' : 'offline')
