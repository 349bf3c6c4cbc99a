/** A node that may have the content. */
export interface SourceNode {
  id: string
  url: string
  /** Other origins at which the same node is reached, best first. */
  origins: string[]
  /** Those of them that are relays, and when the origin was changed. */
  relays: ReadonlySet<string>
  switchedAt: number
  /** `unknown` until it answers, and again after it stalled: other nodes come first. `dead` nodes are not used. */
  state: 'unknown' | 'alive' | 'dead'
  /** Chunks being downloaded from it. */
  active: number
  /** Recent bytes per second of one connection; 0 if not measured yet. */
  speed: number
  succeeded: number
  failed: number
  /** Consecutive failures; simultaneous ones count once. */
  consecutiveFailures: number
  failedAt: number
  /** Ms until it answered the probe. */
  firstByte: number
  /** Whether it could not be reached since it last answered a probe. */
  away: boolean
}
