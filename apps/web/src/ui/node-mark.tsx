import { classes } from './classes.ts'

export type NodeKind = 1 | 2 | 3
export type NodeStatus = 'online' | 'offline' | 'abnormal'

/** Paths centred on the origin, about 10 px wide: an edge is a circle, a candidate a square, a validator a diamond. */
const shapes: Readonly<Record<NodeKind, string>> = {
  1: 'M-5 0a5 5 0 1 1 10 0a5 5 0 1 1 -10 0z',
  2: 'M-4.5 -4.5h9v9h-9z',
  3: 'M0 -6.2L6.2 0L0 6.2L-6.2 0z',
}

/** Abnormal nodes of any kind and alarms, so that the state does not depend on colour. */
const TRIANGLE = 'M0 -6.4L6.6 5.2H-6.6z'

interface MarkProps {
  kind: NodeKind
  status: NodeStatus
  /** A red triangle: what the node holds is wrong. */
  alarm?: boolean | undefined
}

/** A node's mark inside an SVG: filled if online, hollow if offline, a triangle if abnormal. */
export function NodeShape({ kind, status, alarm }: MarkProps) {
  if (alarm || status === 'abnormal')
    return (
      <>
        <path
          d={TRIANGLE}
          className={classes('stroke-surface', alarm ? 'fill-danger' : 'fill-warn')}
          strokeWidth="1.5"
          strokeLinejoin="round"
          paintOrder="stroke"
        />
        <path d="M0 -2.6V1.2M0 3V3.2" className="stroke-surface" strokeWidth="1.5" strokeLinecap="round" />
      </>
    )
  return status === 'online' ? (
    <path
      d={shapes[kind]}
      className="fill-accent stroke-surface"
      strokeWidth="3"
      strokeLinejoin="round"
      paintOrder="stroke"
    />
  ) : (
    <path d={shapes[kind]} className="fill-surface stroke-control" strokeWidth="1.75" strokeLinejoin="round" />
  )
}

/** A node's mark in text, such as tables and legends. */
export function NodeMark({ className, ...mark }: MarkProps & { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="-8 -8 16 16" className={classes('size-4 shrink-0', className)}>
      <NodeShape {...mark} />
    </svg>
  )
}
