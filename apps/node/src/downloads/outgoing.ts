/** Output of one response body. */
export interface Outgoing {
  /** Resolves when the bytes were handed to the kernel, so that the buffer can be reused. Rejects when the client disconnects. */
  write(bytes: Uint8Array): Promise<void>
}
