import { createHash } from 'node:crypto'
import { type ChainTransaction, factsOf, sameAddress } from '@tidenet/chain-client'

/** TNT4 that arrived at the address of the exchange. */
export interface Transfer {
  hash: string
  /** Its number among the transfers of the transaction to the exchange. */
  event: number
  height: number
  payer: string
  units: bigint
  memo: string
}

const RECEIVING = new Set(['transfer', 'send', 'transfer_from', 'send_from'])

/** Longer memos name no exchange; records show the beginning. */
const MEMO_MAX = 256

/**
 * The transfers of a token to an address in one transaction. Uses what the token contract reports, not what was asked of it; and the bytes,
 * of which the node must not have returned others.
 */
export function transfersIn(tx: ChainTransaction, token: string, address: string): Transfer[] {
  if (tx.code !== 0 || createHash('sha256').update(tx.bytes).digest('hex').toUpperCase() !== tx.hash) return []
  const memo = factsOf(tx.bytes, { token, orders: '' })?.memo ?? ''
  const transfers = tx.events.flatMap(({ type, attributes }) => {
    const values = new Map(attributes.map(({ key, value }) => [key, value]))
    const [payer = '', amount = ''] = [values.get('from'), values.get('amount')]
    const isPayment =
      type === 'wasm' &&
      sameAddress(values.get('_contract_address') ?? '', token) &&
      RECEIVING.has(values.get('action') ?? '') &&
      sameAddress(values.get('to') ?? '', address) &&
      !sameAddress(payer, address) &&
      /^[1-9]\d{0,38}$/.test(amount)
    if (!isPayment) return []
    // PostgreSQL text cannot contain NUL.
    const shown = memo
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MEMO_MAX)
    return [{ hash: tx.hash, height: tx.height, payer, units: BigInt(amount), memo: shown }]
  })
  return transfers.map((transfer, event) => ({ ...transfer, event }))
}
