import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainPort, ChainRefusal } from './port.ts'

/** What a transaction costs: the gas that a node says it uses, at the price that the chain asks for. */

/** As wallets and transactions take it; `amount` in the smallest unit of the fee coin. */
export interface Fee {
  amount: string
  gas: string
}

export interface Fees {
  /** Fee for a unit of gas. */
  price(): Promise<number>
  /** For at most so much gas. */
  atMost(gas: number): Promise<Fee>
  /**
   * For what these messages use now, and some more; for `most` when they cannot be tried.
   * @param sequence of who signs
   */
  of(messages: readonly Any[], sequence: number, most: number): Promise<Fee>
  /** Asks for the price again. @returns whether it may be another one then */
  forget(): boolean
}

export interface FeesOptions {
  port: Pick<ChainPort, 'simulate' | 'gasPrice'>
  denom: string
  /** Fixed; left out, the chain's own. */
  gasPrice?: number | undefined
  /** Gas that is allowed for each unit that was used when it was tried: blocks differ from the one before them. */
  adjustment?: number | undefined
}

/** Of a chain that names none, as those do that leave it to each of their nodes. */
export const USUAL_GAS_PRICE = 0.025
export const USUAL_ADJUSTMENT = 1.3
/** Ms for which a price is believed. */
const KNOWN = 60_000
/** Digits behind the point of a price. */
const DIGITS = 12

export function createFees({ port, denom, gasPrice, adjustment = USUAL_ADJUSTMENT }: FeesOptions): Fees {
  let known: { price: number; until: number } | undefined
  let stale = false

  async function price(): Promise<number> {
    if (gasPrice !== undefined) return gasPrice
    if (known && !stale && known.until > Date.now()) return known.price
    // A chain that is away for a moment has not changed its price.
    const asked = await port.gasPrice(denom).catch((error: unknown) => {
      if (!known) throw error
      return known.price
    })
    known = { price: asked !== undefined && asked > 0 ? asked : USUAL_GAS_PRICE, until: Date.now() + KNOWN }
    stale = false
    return known.price
  }

  async function atMost(gas: number): Promise<Fee> {
    // In whole numbers: a part of a unit too little is too little.
    const [whole = '0', part = ''] = (await price()).toFixed(DIGITS).split('.')
    const scaled = BigInt(whole + part) * BigInt(gas)
    const unit = 10n ** BigInt(DIGITS)
    return { amount: String((scaled + unit - 1n) / unit), gas: String(gas) }
  }

  return {
    price,
    atMost,
    async of(messages, sequence, most) {
      let used: number
      try {
        used = await port.simulate(unsigned(messages, sequence))
      } catch (error) {
        // What keeps it from being tried keeps it from being carried out, and is said better there.
        if (error instanceof ChainRefusal) return atMost(most)
        throw error
      }
      return atMost(Math.ceil(used * adjustment))
    },
    forget() {
      stale = true
      return gasPrice === undefined
    },
  }
}

/** A transaction with room for a signature, to be tried. */
function unsigned(messages: readonly Any[], sequence: number): Uint8Array {
  return TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo: '0'.repeat(16) })).finish(),
    // Without the key: the chain knows it, or takes another one of the same length in its place.
    authInfoBytes: AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [{ modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } }, sequence: BigInt(sequence) }],
        fee: {},
      }),
    ).finish(),
    signatures: [new Uint8Array(64)],
  }).finish()
}
