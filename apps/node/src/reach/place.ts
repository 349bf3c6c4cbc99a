/** Where something is reached. */
export interface Place {
  /** IPv4 or IPv6. */
  address: string
  port: number
}
