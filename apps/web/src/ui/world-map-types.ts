import type { NodeKind, NodeStatus } from './node-mark.tsx'
import type { Place } from './world-map-projection.ts'

export interface MapPoint extends Place {
  id: string
  /** 1 edge, 2 candidate, 3 validator. */
  kind: NodeKind
  status: NodeStatus
  title: string
  /** A line beneath the title, such as the area. */
  detail?: string
  /** Not a node but a place where so many of something are: the mark shows the number. */
  count?: number
}

/** Something that moved from one place to another; a ring alone where both are the same. Its id is drawn once. */
export interface MapArc {
  id: string | number
  from: Place
  to: Place
  kind: 'upload' | 'download' | 'replica'
  /** It is over: only its line is left, as a trace. */
  still?: boolean
}
