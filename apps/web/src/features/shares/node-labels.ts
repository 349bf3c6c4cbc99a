import type { MapPoint } from '@tidenet/contract'
import { countryOf } from '../../lib/areas.ts'
import { t } from './texts.ts'

/** `A`, `B` … `Z`, `A2` …: short label of a node, so that nodes are not told apart by colour alone. */
export const nodeLetter = (index: number): string => {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`
}

/** Four series colours, which repeat. */
export const seriesFill = (index: number): string =>
  ['bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4'][index % 4] as string
export const seriesBorder = (index: number): string =>
  ['border-series-1', 'border-series-2', 'border-series-3', 'border-series-4'][index % 4] as string
export const seriesInk = (index: number): string =>
  ['text-series-1', 'text-series-2', 'text-series-3', 'text-series-4'][index % 4] as string

/** Country and type of a node: `Germany · edge node (L2)`. */
export function nodePlace(point: Pick<MapPoint, 'area_id' | 'nodeType'> | undefined): string {
  if (!point) return t.theatre.unknownPlace
  return `${countryOf(point.area_id)} · ${t.theatre.nodeKind[point.nodeType] ?? ''}`
}
