import type { Output, RouteOf } from '@tidenet/contract'
import type { Proved } from './proof.tsx'

export type Overview = Output<RouteOf<'secondFactors.overview'>>

/** What every part of the page gets that changes something. */
export interface SectionProps {
  overview: Overview
  proved: Proved
  /** Recovery codes came with a change: they are shown this once. */
  onCodes: (codes: readonly string[]) => void
}
