/** Parameters of a chain, fixed at genesis. */
export interface Settings {
  /** Ends with a number, as wallets require: `name-1`. */
  chainId: string
  /** Bech32 prefix of addresses. */
  prefix: string
  /** Denom of the fee coin. */
  denom: string
  /** Minimum fee per unit of gas; a decimal. */
  minGasPrice: string
  /** Nominal seconds per block, for the duration of orders. */
  blockSeconds: number
}
