/** Kinds of storage nodes, with the numbers that the explorer and the device calls use. */
export const NODE_KINDS = { edge: 1, candidate: 2, validator: 3 } as const
export type NodeKind = keyof typeof NODE_KINDS
export const nodeKinds = Object.keys(NODE_KINDS) as [NodeKind, ...NodeKind[]]

export const nodeKindOf = (number: number): NodeKind | undefined =>
  nodeKinds.find((each) => NODE_KINDS[each] === number)
