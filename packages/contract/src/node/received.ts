/**
 * What a client signs with the key of a download (`receipt_key`): the verified bytes that it received from a node.
 * @param bytes of this trace from this node, in total
 */
export const receivedText = (trace: string, nodeId: string, cid: string, bytes: number): string =>
  `tidenet-received-v1\n${trace}\n${nodeId}\n${cid}\n${bytes}`

/** What a node signs with its own key: the bytes that it sent in a download. */
export const sentText = (trace: string, nodeId: string, cid: string, bytes: number): string =>
  `tidenet-sent-v1\n${trace}\n${nodeId}\n${cid}\n${bytes}`

/**
 * The lines that a device and its relay both sign: so many bytes of the device left through the relay, in total, in this session.
 * @param session see `RELAY_SESSION`
 */
export const relayedText = (session: string, relayId: string, deviceId: string, bytes: number): string =>
  `tidenet-relayed-v1\n${session}\n${relayId}\n${deviceId}\n${bytes}`

/** A day at most that a device spends at a relay: when it began, in unix seconds, and 96 random bits, base64url. */
export const RELAY_SESSION = /^\d{10}-[A-Za-z0-9_-]{16}$/
