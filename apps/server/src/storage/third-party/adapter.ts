import type { Cid } from '@tidenet/content'
import type { AssetType, ThirdPartyKind, ThirdPartyReason } from '@tidenet/contract'

/** A content to be stored by a provider. */
export interface Stored {
  cid: Cid
  kind: AssetType
  /** Bytes. */
  size: number
  /** Identifies the replica: asking again with the same key makes no second one. */
  key: string
}

/** What a provider says about a replica. Nothing of it is believed without `readBlock`. */
export interface ReplicaStatus {
  state: 'queued' | 'inProgress' | 'stored' | 'failed'
  /** The provider's explanation, for operators. */
  detail?: string
  /** Who stores it, if the provider is an intermediary. */
  provider?: string
  dealId?: string
  /** When it should be stored. */
  expectedAt?: Date
  /** When the provider ends to store it; undefined: when it is removed. */
  expiresAt?: Date
}

export interface Sending {
  /** Multiaddresses from which the provider can fetch the content. */
  origins: readonly string[]
  /** The verified blocks of the content as a CAR, for providers that receive bytes. @throws ThirdPartyError source */
  car(): AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** One third-party provider. Every method throws ThirdPartyError, or the signal's reason. */
export interface ThirdParty {
  readonly name: string
  readonly kind: ThirdPartyKind
  /** Whether it only simulates: it stores no bytes, so nothing can be read back. */
  readonly simulated: boolean
  /** @returns the provider's id of the replica */
  add(content: Stored, sending: Sending): Promise<string>
  status(id: string, content: Stored, signal: AbortSignal): Promise<ReplicaStatus>
  /** Replicas that the provider does not know are removed already. */
  remove(id: string, content: Stored, signal: AbortSignal): Promise<void>
  /** A block that the provider stores, not verified; undefined for a simulation. */
  readonly readBlock?: (cid: Cid, signal: AbortSignal) => Promise<Uint8Array>
  /** Multiaddresses from which other providers can fetch what it stores. */
  readonly origins?: (signal: AbortSignal) => Promise<string[]>
}

/** A provider, or the way to it, failed. The message is for operators. */
export class ThirdPartyError extends Error {
  readonly reason: ThirdPartyReason
  /** The provider fails for every content: the others wait. A refusal of one content must not keep those of other accounts waiting. */
  readonly outage: boolean

  constructor(reason: ThirdPartyReason, message: string, outage = reason === 'unreachable') {
    super(message)
    this.name = 'ThirdPartyError'
    this.reason = reason
    this.outage = outage
  }
}
