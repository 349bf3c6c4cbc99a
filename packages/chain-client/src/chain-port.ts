import type { ChainTransaction } from './verify.ts'

/** The chain does not answer, or is not the expected one. */
export class ChainUnreachable extends Error {}
/** A refusal of the chain, with its code. */
export class ChainRefusal extends Error {
  readonly codespace: string
  readonly code: number
  /** An earlier URL did not answer, so the transaction may have been accepted there. */
  uncertain = false

  constructor(codespace: string, code: number, message: string) {
    super(message)
    this.codespace = codespace
    this.code = code
  }
}

/** The operations of a chain that the network uses. */
export interface ChainPort {
  /** Throws for a chain other than the configured one, and for one that is still catching up. */
  status(): Promise<{ height: number; time: Date }>
  /** Undefined for an account that never received coins. */
  account(address: string): Promise<{ number: number; sequence: number } | undefined>
  balance(address: string, denom: string): Promise<bigint>
  query<T>(contract: string, question: object): Promise<T>
  /** Undefined until a block contains it. */
  tx(hash: string): Promise<ChainTransaction | undefined>
  search(query: string): Promise<ChainTransaction[]>
  /** One page of a search, the latest first; `page` from 1, `size` at most 100. */
  page(query: string, page: number, size: number): Promise<{ list: ChainTransaction[]; total: number }>
  /** Undefined for a height that does not exist yet or was pruned. */
  block(height: number): Promise<ChainBlock | undefined>
  /** The gas that a transaction would use now; signatures may be missing. Throws `ChainRefusal` if it would fail. */
  simulate(bytes: Uint8Array): Promise<number>
  /** The node's minimum gas price in a coin; undefined if it has none. */
  gasPrice(denom: string): Promise<number | undefined>
  /** Broadcasts a signed transaction. Throws `ChainRefusal` if the node rejects it; `known`: the node has it already. */
  broadcast(bytes: Uint8Array): Promise<{ hash: string; known: boolean }>
}

/** A block as reported by a node; `transactions` are hashes. */
export interface ChainBlock {
  height: number
  /** Hex in capitals. */
  hash: string
  time: Date
  proposer: string
  transactions: string[]
}
