import { TESTNET_FACTOR } from '@tidenet/contract'
import { ConfigError, readConfig } from '@tidenet/daemon'
import { type AnchorAddress, parseAnchorAddress, publicKey } from '@tidenet/receipts'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../platform/config.ts'
import { type ChainConfig, readChainConfig } from './chain/config.ts'
import { type ExchangeConfig, readExchangeConfig } from './exchange/config.ts'

export interface PaymentsConfig {
  chain: ChainConfig
  exchange: ExchangeConfig
  /** How many guest workspaces may exist at once; 0: none are offered. */
  guestWorkspaces: number
  /** Multiplies the tariff: below 1 on a test network. */
  priceFactor: number
  /** Addresses that sign anchors and are not of this server's key: of other servers, or former ones. */
  anchorAddresses: readonly AnchorAddress[]
  /** Keys of receipts before the secret was changed, and the last second at which each signed, in unix seconds. */
  formerReceiptKeys: readonly { key: string; until: number }[]
}

const listOf = <T>(parse: (text: string) => T | undefined, expected: string) =>
  z
    .string()
    .default('')
    .transform((text, context): T[] =>
      text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
        .flatMap((each) => {
          const value = parse(each)
          if (value === undefined) context.addIssue(`expected ${expected}`)
          return value === undefined ? [] : [value]
        }),
    )

function parseFormerKey(text: string): { key: string; until: number } | undefined {
  const [, key, until] = /^([^:]+):(\d{1,12})$/.exec(text) ?? []
  return publicKey.safeParse(key).success ? { key: key as string, until: Number(until) } : undefined
}

/** @throws StartError naming every invalid variable */
export function readPaymentsConfig(env: Env, { smtpUrl }: PlatformConfig): PaymentsConfig {
  const factor = z.coerce.number().min(0.001).max(1000).default(TESTNET_FACTOR)
  const given = readConfig(
    {
      guestWorkspaces: { from: 'TIDENET_GUEST_WORKSPACES', type: z.coerce.number().int().min(0).max(1000).default(0) },
      priceFactor: { from: 'TIDENET_PRICE_FACTOR', type: factor },
      anchorAddresses: {
        from: 'TIDENET_ANCHOR_ADDRESSES',
        type: listOf(parseAnchorAddress, 'CHAIN:ADDRESS, separated by commas'),
      },
      formerReceiptKeys: {
        from: 'TIDENET_FORMER_RECEIPT_KEYS',
        type: listOf(parseFormerKey, 'KEY:UNTIL in unix seconds, separated by commas'),
      },
    },
    env,
  )
  const chain = readChainConfig(env, smtpUrl === '')
  // The network's address also receives what orders earn; the exchange would refund that.
  if (chain.exchangeToken !== '' && chain.exchangeToken === chain.token)
    throw new ConfigError(['  TIDENET_EXCHANGE_TOKEN is TIDENET_CHAIN_TOKEN: exchanges need another token than orders'])
  return { ...given, chain, exchange: readExchangeConfig(env) }
}
