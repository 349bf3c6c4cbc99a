import type { ChainTransaction } from './verify.ts'

/** A chain that cannot be asked right now, or is another one than was expected. */
export class ChainUnreachable extends Error {}
/** What the chain refused, by its own number. */
export class ChainRefusal extends Error {
  readonly codespace: string
  readonly code: number
  /** Another address was asked before and did not answer: what was refused here may have been taken there. */
  uncertain = false

  constructor(codespace: string, code: number, message: string) {
    super(message)
    this.codespace = codespace
    this.code = code
  }
}

/** What the network asks of a chain. */
export interface ChainPort {
  /** Refuses another chain than the one of the settings, and one that is still catching up. */
  status(): Promise<{ height: number; time: Date }>
  /** Undefined for who never got coins. */
  account(address: string): Promise<{ number: number; sequence: number } | undefined>
  balance(address: string, denom: string): Promise<bigint>
  query<T>(contract: string, question: object): Promise<T>
  /** Undefined as long as no block holds it. */
  tx(hash: string): Promise<ChainTransaction | undefined>
  search(query: string): Promise<ChainTransaction[]>
  /** One page of a search, the latest first; `page` from 1, `size` at most 100. */
  page(query: string, page: number, size: number): Promise<{ list: ChainTransaction[]; total: number }>
  /** Undefined for a height that is not there yet, or no longer kept. */
  block(height: number): Promise<ChainBlock | undefined>
  /** Gas that a transaction would use now; its signatures may be missing. Throws a `ChainRefusal` for one that would fail. */
  simulate(bytes: Uint8Array): Promise<number>
  /** The least fee in a coin for a unit of gas that a node takes; undefined when it names none. */
  gasPrice(denom: string): Promise<number | undefined>
  /** Hands in a signed transaction. What the node does not take is a `ChainRefusal`; `known` when it has it already. */
  broadcast(bytes: Uint8Array): Promise<{ hash: string; known: boolean }>
}

/** A block as a node tells it; `transactions` are their hashes. */
export interface ChainBlock {
  height: number
  /** Hex in capitals. */
  hash: string
  time: Date
  proposer: string
  transactions: string[]
}
