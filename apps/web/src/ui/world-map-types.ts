import type { NodeKind, NodeStatus } from './node-mark.tsx'
import type { Place } from './world-map-projection.ts'

export interface MapPoint extends Place {
  id: string
  /** 1: edge, 2: candidate, 3: validator. */
  kind: NodeKind
  status: NodeStatus
  title: string
  /** Shown below the title, such as the area. */
  detail?: string
  /** Replaces the status: the mark is a red triangle, and its name ends with this text. */
  alarm?: string
  /** Set for places instead of nodes: the number that the mark shows. */
  count?: number
}

/** A transfer from one place to another; only a ring if both are the same. Each id is animated once. */
export interface MapArc {
  id: string | number
  from: Place
  to: Place
  kind: 'upload' | 'download' | 'replica'
  /** The transfer is complete: only the line is shown. */
  still?: boolean
}
