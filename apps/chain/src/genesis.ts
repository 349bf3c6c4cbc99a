import { orders } from './contracts/orders.ts'
import { token } from './contracts/token.ts'
import type { Settings } from './settings.ts'
import { contractAddress } from './state/addresses.ts'
import { getOrCreateAccount, saveAccount, setBalance } from './state/bank.ts'
import { type Code, type Contracts, type Instance, RULES } from './state/contracts.ts'
import type { Store } from './state/store.ts'

export interface TokenGenesis {
  name: string
  symbol: string
  decimals: number
  supply: string
}

/** Genesis of a chain, stored with its blocks. */
export interface Genesis extends Settings {
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

/** Contract code by code id. */
export const codes: ReadonlyMap<number, Code> = new Map([
  [1, token],
  [2, orders],
])

export const tokenAddress = (settings: Pick<Settings, 'prefix'>): string => contractAddress(settings, 1, 1)
export const ordersAddress = (settings: Pick<Settings, 'prefix'>): string => contractAddress(settings, 2, 2)
/** Empty if the chain has no rewards token. */
export const rewardsAddress = (genesis: Pick<Genesis, 'prefix' | 'rewards'>): string =>
  genesis.rewards ? contractAddress(genesis, 1, 3) : ''
/** Empty if the chain has no TNT4. */
export const tnt4Address = (genesis: Pick<Genesis, 'prefix' | 'tnt4'>): string =>
  genesis.tnt4 ? contractAddress(genesis, 1, 4) : ''

/** Creates the accounts, coins and contracts of block 0. */
export function begin(genesis: Genesis, contracts: Contracts, store: Store): void {
  const operator = getOrCreateAccount(store, genesis.operator)
  saveAccount(store, operator)
  setBalance(store, genesis.operator, BigInt(genesis.coins))
  const blockContext = { height: 0, time: genesis.time, rules: RULES }
  const instance = (address: string, code: number, label: string): Instance => ({
    address,
    code,
    creator: genesis.operator,
    admin: genesis.operator,
    label,
    height: 0,
  })
  const beginToken = (address: string, label: string, { supply, ...info }: TokenGenesis) =>
    contracts.instantiate(store, blockContext, instance(address, 1, label), {
      ...info,
      initial_balances: [{ address: genesis.operator, amount: supply }],
    })
  beginToken(tokenAddress(genesis), 'token', genesis.token)
  contracts.instantiate(store, blockContext, instance(ordersAddress(genesis), 2, 'orders'), {
    token: tokenAddress(genesis),
    operator: genesis.operator,
    treasury: genesis.treasury,
    ...(genesis.capacity && { capacity: genesis.capacity }),
  })
  if (genesis.rewards) beginToken(rewardsAddress(genesis), 'rewards', genesis.rewards)
  if (genesis.tnt4) beginToken(tnt4Address(genesis), 'tnt4', genesis.tnt4)
}
