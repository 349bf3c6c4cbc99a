/**
 * What a client signs with the key of a download (`receipt_key`): the verified bytes that it received from a node.
 * @param bytes of this trace from this node, in total
 */
export const receivedText = (trace: string, nodeId: string, cid: string, bytes: number): string =>
  `tidenet-received-v1\n${trace}\n${nodeId}\n${cid}\n${bytes}`

/** What a node signs with its own key: the bytes that it sent in a download. */
export const sentText = (trace: string, nodeId: string, cid: string, bytes: number): string =>
  `tidenet-sent-v1\n${trace}\n${nodeId}\n${cid}\n${bytes}`
