import { readFileSync } from 'node:fs'
import { formerCode } from './before-wasm/code.ts'
import { orders as formerOrders } from './before-wasm/orders.ts'
import { token as formerToken } from './before-wasm/token.ts'
import type { Settings } from './settings.ts'
import { contractAddress } from './state/addresses.ts'
import { getOrCreateAccount, saveAccount, setBalance } from './state/bank.ts'
import { type Code, type Contracts, type Instance, WASM } from './state/contracts.ts'
import type { Store } from './state/store.ts'
import { wasmCode } from './wasm/code.ts'
import { CODES, codeOfKind } from './wasm/upgrade.ts'

export interface TokenGenesis {
  name: string
  symbol: string
  decimals: number
  supply: string
}

/** Genesis of a chain, stored with its blocks. */
export interface Genesis extends Settings {
  /** Rules version of block 0; absent from chains that began with contracts in TypeScript. */
  rules?: number
  /** Unix ms of block 0. */
  time: number
  /** Pays claims and network fees; ends orders. */
  operator: string
  /** Receives what orders earned. */
  treasury: string
  token: TokenGenesis
  /** Token that points are redeemed for; absent from older chains. */
  rewards?: TokenGenesis
  /** TNT4, which the points exchange takes; absent from older chains. */
  tnt4?: TokenGenesis
  /** The operator's initial coins for fees. */
  coins: string
  /** Total resources of all orders. */
  capacity?: { cpu: number; memory: number; disk: number }
}

const wasm = (name: string) => readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url))

/** Contract code by code id. */
export const codes: ReadonlyMap<number, Code> = new Map([
  [CODES.formerToken, formerCode(formerToken)],
  [CODES.formerOrders, formerCode(formerOrders)],
  [CODES.token, wasmCode('cw20-base', wasm('token'))],
  [CODES.firstOrders, wasmCode('orders', wasm('orders-1'))],
  [CODES.orders, wasmCode('orders', wasm('orders'))],
])

export const tokenAddress = (settings: Pick<Settings, 'prefix'>): string => contractAddress(settings, 1, 1)
export const ordersAddress = (settings: Pick<Settings, 'prefix'>): string => contractAddress(settings, 2, 2)
/** Empty if the chain has no rewards token. */
export const rewardsAddress = (genesis: Pick<Genesis, 'prefix' | 'rewards'>): string =>
  genesis.rewards ? contractAddress(genesis, 1, 3) : ''
/** Empty if the chain has no TNT4. */
export const tnt4Address = (genesis: Pick<Genesis, 'prefix' | 'tnt4'>): string =>
  genesis.tnt4 ? contractAddress(genesis, 1, 4) : ''

export interface FirstContract {
  address: string
  kind: 'token' | 'orders'
  label: string
  message: object
}

/** The contracts of block 0, and the messages that create them. */
export function firstContracts(genesis: Genesis): FirstContract[] {
  const token = (address: string, label: string, { supply, ...info }: TokenGenesis): FirstContract => ({
    address,
    kind: 'token',
    label,
    message: { ...info, initial_balances: [{ address: genesis.operator, amount: supply }] },
  })
  const orders: FirstContract = {
    address: ordersAddress(genesis),
    kind: 'orders',
    label: 'orders',
    message: {
      token: tokenAddress(genesis),
      operator: genesis.operator,
      treasury: genesis.treasury,
      ...(genesis.capacity && { capacity: genesis.capacity }),
    },
  }
  return [
    token(tokenAddress(genesis), 'token', genesis.token),
    orders,
    ...(genesis.rewards ? [token(rewardsAddress(genesis), 'rewards', genesis.rewards)] : []),
    ...(genesis.tnt4 ? [token(tnt4Address(genesis), 'tnt4', genesis.tnt4)] : []),
  ]
}

/** Creates the accounts, coins and contracts of block 0. */
export function begin(genesis: Genesis, contracts: Contracts, store: Store): void {
  const operator = getOrCreateAccount(store, genesis.operator)
  saveAccount(store, operator)
  setBalance(store, genesis.operator, BigInt(genesis.coins))
  const rules = genesis.rules ?? 1
  const blockContext = { height: 0, time: genesis.time, rules }
  for (const { address, kind, label, message } of firstContracts(genesis)) {
    const admin = rules >= WASM ? '' : genesis.operator
    const code = codeOfKind(kind, rules)
    const instance: Instance = { address, code, creator: genesis.operator, admin, label, height: 0 }
    contracts.instantiate(store, blockContext, instance, message)
  }
}
