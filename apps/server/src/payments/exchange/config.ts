import { readFileSync } from 'node:fs'
import { readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { type Env, siteUrl } from '../../platform/config.ts'

/** The points exchange. */
export interface ExchangeConfig {
  /** The partner's address, without `/v1`; empty: no exchange. */
  url: string
  /** Sent as a bearer token. */
  key: string
  /** As users see the partner. */
  name: string
  /** The stand-in of a test network, whose credits have no value. */
  simulated: boolean
  /** Receives payments; empty: the address of the operator key. */
  address: string
  /** Deducted from refunds that the payer caused, in millionths of a TNT4. */
  fee: bigint
  /** Whole TNT4 per claim on the development chain; 0: none. */
  testCoins: number
  /** Without a clear answer of the partner for this long, in ms, a payment is refunded. */
  giveUpAfter: number
}

const HOUR = 3_600_000

export const NO_EXCHANGE: ExchangeConfig = {
  url: '',
  key: '',
  name: '',
  simulated: false,
  address: '',
  fee: 100_000n,
  testCoins: 1000,
  giveUpAfter: 24 * HOUR,
}

/** @throws ConfigError naming every variable that is wrong; StartError if the key cannot be read */
export function readExchangeConfig(env: Env): ExchangeConfig {
  const { keyFile, simulated, fee, giveUpHours, ...given } = readConfig(
    {
      url: { from: 'TIDENET_EXCHANGE_PARTNER_URL', type: siteUrl },
      keyFile: { from: 'TIDENET_EXCHANGE_PARTNER_KEY_FILE', type: z.string().optional() },
      name: { from: 'TIDENET_EXCHANGE_PARTNER_NAME', type: z.string().max(100).default('') },
      simulated: { from: 'TIDENET_EXCHANGE_PARTNER_SIMULATED', type: z.enum(['yes', 'no']).default('no') },
      address: {
        from: 'TIDENET_EXCHANGE_ADDRESS',
        type: z
          .string()
          .regex(/^[a-z\d]{10,130}$/, 'expected an address of the chain')
          .or(z.literal(''))
          .default(''),
      },
      fee: {
        from: 'TIDENET_EXCHANGE_REFUND_FEE',
        type: z
          .string()
          .regex(/^\d{1,9}(\.\d{1,6})?$/, 'expected an amount of TNT4, such as 0.1')
          .default('0.1'),
      },
      testCoins: {
        from: 'TIDENET_EXCHANGE_TEST_COINS',
        type: z.coerce.number().int().min(0).max(1_000_000).default(NO_EXCHANGE.testCoins),
      },
      giveUpHours: {
        from: 'TIDENET_EXCHANGE_GIVE_UP_HOURS',
        type: z.coerce.number().min(0.01).max(8760).default(24),
      },
    },
    env,
  )
  const url = given.url.replace(/\/+$/, '').replace(/\/v1$/, '')
  return {
    ...given,
    url,
    key: url && keyFile ? readKey(keyFile) : '',
    name: given.name || (url && new URL(url).host),
    simulated: simulated === 'yes',
    fee: millionths(fee),
    giveUpAfter: giveUpHours * HOUR,
  }
}

function millionths(decimal: string): bigint {
  const [whole = '0', part = ''] = decimal.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'))
}

function readKey(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartError(`TIDENET_EXCHANGE_PARTNER_KEY_FILE=${file} cannot be read: ${(error as Error).message}`)
  }
  if (!/^[\x21-\x7e]{8,500}$/.test(text))
    throw new StartError(`TIDENET_EXCHANGE_PARTNER_KEY_FILE=${file} does not contain a key of 8 to 500 characters.`)
  return text
}
