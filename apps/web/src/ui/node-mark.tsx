import { classes } from './classes.ts'

export type NodeKind = 1 | 2 | 3
export type NodeStatus = 'online' | 'offline' | 'abnormal'

/** Shapes about their middle, some 10 px across: an edge is a circle, a candidate a square, a validator a diamond. */
const shapes: Readonly<Record<NodeKind, string>> = {
  1: 'M-5 0a5 5 0 1 1 10 0a5 5 0 1 1 -10 0z',
  2: 'M-4.5 -4.5h9v9h-9z',
  3: 'M0 -6.2L6.2 0L0 6.2L-6.2 0z',
}

/** What is wrong is a triangle, whatever it is: its shape says so before its colour. */
const TRIANGLE = 'M0 -6.4L6.6 5.2H-6.6z'

/** A node's mark within a drawing: filled while it is online, hollow while it is away, a triangle with a bar when something is wrong. */
export function NodeShape({ kind, status }: { kind: NodeKind; status: NodeStatus }) {
  if (status === 'abnormal')
    return (
      <>
        <path
          d={TRIANGLE}
          className="fill-warn stroke-surface"
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

/** The same beside a word, in a table or a legend. */
export function NodeMark({ kind, status, className }: { kind: NodeKind; status: NodeStatus; className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="-8 -8 16 16" className={classes('size-4 shrink-0', className)}>
      <NodeShape kind={kind} status={status} />
    </svg>
  )
}
