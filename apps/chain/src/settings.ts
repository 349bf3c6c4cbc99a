/** What makes a chain this chain; fixed when it begins. */
export interface Settings {
  /** Ends in a number, as wallets want it: `name-1`. */
  chainId: string
  /** Of its addresses. */
  prefix: string
  /** The smallest unit of the coin that pays fees. */
  denom: string
  /** Fee for a unit of gas below which a transaction is not taken; a decimal. */
  minGasPrice: string
  /** Seconds that a block counts for when the duration of an order is measured. */
  blockSeconds: number
}
