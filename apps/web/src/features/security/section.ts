import type { Output, RouteOf } from '@tidenet/contract'
import type { WithRecentAuth } from '../recent-auth/recent-auth.tsx'

export type Overview = Output<RouteOf<'secondFactors.overview'>>

/** Props of the sections that change settings. */
export interface SectionProps {
  overview: Overview
  withRecentAuth: WithRecentAuth
  /** Shows new recovery codes that a change returned. */
  onCodes: (codes: readonly string[]) => void
}
