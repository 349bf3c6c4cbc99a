import type { ChainSettings } from '@tidenet/contract'
import { queries, query } from '../../lib/queries.ts'
import type { Chain } from './wallet.ts'

/** SLIP-44 coin type of Cosmos, so that a recovery phrase gives the same account in every wallet. */
const COIN_TYPE = 118
/** Stale time of the chain settings. */
export const SETTINGS_STALE_MS = 5 * 60_000

/** Chain id, coins and contracts. @throws ApiError if there is no chain or it does not answer */
export const chainSettings = (): Promise<ChainSettings> =>
  queries.ensureQueryData({ ...query('chain.settings', {}), staleTime: SETTINGS_STALE_MS })

/** Absolute URL of a path of this portal; wallets require absolute URLs. */
export const absoluteUrl = (path: string): string => (path === '' ? '' : new URL(path, location.origin).href)

interface Coins {
  coinDenom: string
  coinMinimalDenom: string
  coinDecimals: number
  type?: 'cw20'
  contractAddress?: string
}

/** Chain description for wallets. Without settings it is sufficient for addresses only. */
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
    rpc: absoluteUrl(settings?.rpc ?? '/chain/rpc'),
    rest: absoluteUrl(settings?.rest || '/chain/rest'),
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
