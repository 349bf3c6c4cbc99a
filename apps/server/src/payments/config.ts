import { TESTNET_FACTOR } from '@tidenet/contract'
import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../platform/config.ts'
import { type ChainConfig, readChainConfig } from './chain/config.ts'

export interface PaymentsConfig {
  chain: ChainConfig
  /** Multiplies the tariff: below 1 on a test network. */
  priceFactor: number
}

/** @throws StartError naming every invalid variable */
export function readPaymentsConfig(env: Env, { smtpUrl }: PlatformConfig): PaymentsConfig {
  const factor = z.coerce.number().min(0.001).max(1000).default(TESTNET_FACTOR)
  const { priceFactor } = readConfig({ priceFactor: { from: 'TIDENET_PRICE_FACTOR', type: factor } }, env)
  return { priceFactor, chain: readChainConfig(env, smtpUrl === '') }
}
