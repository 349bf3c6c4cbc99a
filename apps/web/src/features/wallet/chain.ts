import type { ChainSettings } from '@tidenet/contract'
import { queries, query } from '../../lib/queries.ts'
import type { Chain } from './wallet.ts'

/** The number of Cosmos accounts in SLIP-44: the same words give the same account in every wallet. */
const COIN_TYPE = 118
/** How long the settings of the chain are taken for what they are. */
export const SETTINGS_FRESH = 5 * 60_000

/** The chain with its coins and contracts. @throws ApiError where there is none, or it does not answer */
export const chainSettings = (): Promise<ChainSettings> =>
  queries.ensureQueryData({ ...query('chain.settings', {}), staleTime: SETTINGS_FRESH })

/** An address below this portal as a whole one, which wallets want. */
export const wholeAddress = (path: string): string => (path === '' ? '' : new URL(path, location.origin).href)

interface Coins {
  coinDenom: string
  coinMinimalDenom: string
  coinDecimals: number
  type?: 'cw20'
  contractAddress?: string
}

/** What a wallet has to know of the chain before it can sign for it. Without settings, as much as an address needs. */
export function chainInfo({ id, prefix }: Chain, settings: ChainSettings | undefined) {
  const coin: Coins = {
    coinDenom: settings?.coin ?? prefix.toUpperCase(),
    coinMinimalDenom: settings?.denom ?? `u${prefix}`,
    coinDecimals: settings?.decimals ?? 6,
  }
  const { token } = settings ?? {}
  const tokens: Coins[] = token
    ? [
        {
          type: 'cw20',
          contractAddress: token.address,
          coinDenom: token.symbol,
          coinMinimalDenom: `cw20:${token.address}:${token.name}`,
          coinDecimals: token.decimals,
        },
      ]
    : []
  return {
    chainId: id,
    chainName: 'Tidenet',
    rpc: wholeAddress(settings?.rpc ?? '/chain/rpc'),
    rest: wholeAddress(settings?.rest || '/chain/rest'),
    bip44: { coinType: COIN_TYPE },
    bech32Config: {
      bech32PrefixAccAddr: prefix,
      bech32PrefixAccPub: `${prefix}pub`,
      bech32PrefixValAddr: `${prefix}valoper`,
      bech32PrefixValPub: `${prefix}valoperpub`,
      bech32PrefixConsAddr: `${prefix}valcons`,
      bech32PrefixConsPub: `${prefix}valconspub`,
    },
    currencies: [coin, ...tokens],
    feeCurrencies: [{ ...coin, gasPriceStep: settings?.gas_prices ?? { low: 0.005, average: 0.025, high: 0.03 } }],
    features: ['cosmwasm'],
  }
}
