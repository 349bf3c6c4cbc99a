import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainPort, ChainRefusal } from './chain-port.ts'

/** Fees of transactions: simulated gas times the chain's gas price. */

/** `amount` in the smallest unit of the fee coin. */
export interface Fee {
  amount: string
  gas: string
}

export interface Fees {
  /** Price of a unit of gas. */
  price(): Promise<number>
  /** The fee for a gas limit. */
  atMost(gas: number): Promise<Fee>
  /**
   * The fee for these messages by simulation; for `most` gas if they cannot be simulated.
   * @param sequence of the signer's account
   */
  of(messages: readonly Any[], sequence: number, most: number): Promise<Fee>
  /** Discards the cached price. @returns false if the price is fixed */
  forget(): boolean
}

export interface FeesOptions {
  port: Pick<ChainPort, 'simulate' | 'gasPrice'>
  denom: string
  /** A fixed price; without it, the chain's. */
  gasPrice?: number | undefined
  /** Gas limit per unit of simulated gas: usage can change from block to block. */
  adjustment?: number | undefined
}

/** Price if the chain does not name one. */
export const USUAL_GAS_PRICE = 0.025
export const USUAL_ADJUSTMENT = 1.3
/** Cache time of a price in ms. */
const KNOWN = 60_000
/** Decimals of a price. */
const DIGITS = 12

export function createFees({ port, denom, gasPrice, adjustment = USUAL_ADJUSTMENT }: FeesOptions): Fees {
  let known: { price: number; until: number } | undefined
  let stale = false

  async function price(): Promise<number> {
    if (gasPrice !== undefined) return gasPrice
    if (known && !stale && known.until > Date.now()) return known.price
    // If the chain does not answer, keep the last price.
    const asked = await port.gasPrice(denom).catch((error: unknown) => {
      if (!known) throw error
      return known.price
    })
    known = { price: asked !== undefined && asked > 0 ? asked : USUAL_GAS_PRICE, until: Date.now() + KNOWN }
    stale = false
    return known.price
  }

  async function atMost(gas: number): Promise<Fee> {
    // In integers, rounded up: a fraction of a unit too little would be refused.
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
        used = await port.simulate(unsigned(messages, sequence, (await price()) > 0 ? denom : undefined))
      } catch (error) {
        // The transaction would fail as well, with a better error message.
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

/**
 * A transaction with a placeholder signature, for simulation.
 * @param denom of the fee. Taking it uses gas, too: on real chains a third of a plain transfer, also for the smallest fee
 */
function unsigned(messages: readonly Any[], sequence: number, denom: string | undefined): Uint8Array {
  return TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo: '0'.repeat(16) })).finish(),
    // Without the public key: the chain knows it, or uses one of the same length.
    authInfoBytes: AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [{ modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } }, sequence: BigInt(sequence) }],
        fee: { amount: denom === undefined ? [] : [{ denom, amount: '1' }] },
      }),
    ).finish(),
    signatures: [new Uint8Array(64)],
  }).finish()
}
