/** The body of one answer on its way out. */
export interface Outgoing {
  /** Resolves when the bytes have left this process, so that their buffer can be used again. Rejects when the client is gone. */
  write(bytes: Uint8Array): Promise<void>
}
