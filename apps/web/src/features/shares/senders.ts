import type { MapPoint } from '@tidenet/contract'
import { areaName } from '../../lib/areas.ts'
import { t } from './texts.ts'

/** `A`, `B` … `Z`, `A2` …: the short name of a node on one page, so that colour is never the only sign. */
export const letterOf = (index: number): string => {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`
}

/** Four colours that differ in lightness too; letters tell apart what shares one. */
export const fillOf = (index: number): string =>
  ['bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4'][index % 4] as string
export const edgeOf = (index: number): string =>
  ['border-series-1', 'border-series-2', 'border-series-3', 'border-series-4'][index % 4] as string
export const inkOf = (index: number): string =>
  ['text-series-1', 'text-series-2', 'text-series-3', 'text-series-4'][index % 4] as string

/** The country of an area id or of a point, as people read it. */
export const countryOf = (area: string): string => areaName(area.split('-')[1] ?? area)

/** Where a node is and what it is: `Germany · edge node (L2)`. */
export function placeOf(point: Pick<MapPoint, 'area_id' | 'nodeType'> | undefined): string {
  if (!point) return t.theatre.unknownPlace
  return `${countryOf(point.area_id)} · ${t.theatre.nodeKind[point.nodeType] ?? ''}`
}
