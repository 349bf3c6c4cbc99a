import {
  type BlockContext,
  type Contracts,
  findInstance,
  type Instance,
  instancesOf,
  SECOND_ORDERS,
  storageOf,
  toJson,
  WASM,
} from '../state/contracts.ts'
import { createGasMeter, ENDLESS } from '../state/gas.ts'
import type { Store } from '../state/store.ts'

/**
 * Ids of codes: two of TypeScript, for blocks before `WASM`, the token, and the orders contract before `SECOND_ORDERS` and since. A code that
 * blocks were executed with never changes.
 */
export const CODES = { formerToken: 1, formerOrders: 2, token: 3, firstOrders: 4, orders: 5 } as const

/** The code of contracts under some rules. */
export function codeOfKind(kind: 'token' | 'orders', rules: number): number {
  if (kind === 'token') return rules < WASM ? CODES.formerToken : CODES.token
  if (rules < WASM) return CODES.formerOrders
  return rules < SECOND_ORDERS ? CODES.firstOrders : CODES.orders
}

/**
 * Gives the contracts the codes of a block's rules: from TypeScript to wasm, with balances, allowances and orders, and from the first wasm of
 * the orders to the second. Addresses stay. It depends only on the state before it, so that every replay does the same.
 */
export function upgrade(contracts: Contracts, store: Store, blockContext: BlockContext): void {
  if (blockContext.rules < WASM) return
  for (const instance of instancesOf(store)) {
    if (instance.code === CODES.formerToken) upgradeToken(contracts, store, blockContext, instance)
    if (instance.code === CODES.formerOrders) upgradeOrders(contracts, store, blockContext, instance)
  }
  if (blockContext.rules < SECOND_ORDERS) return
  for (const instance of instancesOf(store))
    if (instance.code === CODES.firstOrders)
      contracts.migrate(store, blockContext, { ...instance, code: CODES.orders }, {})
}

/** @param orders address of the orders contract, which changes last */
export const isUpgraded = (store: Store, orders: string, rules: number): boolean =>
  (findInstance(store, orders)?.code ?? 0) >= codeOfKind('orders', rules)

/** The keys of a contract's state, which is deleted. */
function takeState(store: Store, { address }: Instance): [key: string, value: string][] {
  const storage = storageOf(store, address)
  const entries = storage.entries('')
  for (const [key] of entries) storage.delete(key)
  return entries
}

/** The new contract is created with the balances, and each owner grants its allowances again. */
function upgradeToken(contracts: Contracts, store: Store, blockContext: BlockContext, instance: Instance): void {
  const entries = takeState(store, instance)
  const value = (name: string) => entries.find(([key]) => key === name)?.[1]
  const { name, symbol, decimals } = JSON.parse(value('info') ?? '{}') as Record<string, unknown>
  const minter = value('minter')
  const initial_balances = entries
    .filter(([key]) => key.startsWith('balance/'))
    .map(([key, amount]) => ({ address: key.slice('balance/'.length), amount }))
  contracts.instantiate(
    store,
    blockContext,
    { ...instance, code: CODES.token, admin: '' },
    {
      name,
      symbol,
      decimals,
      initial_balances,
      ...(minter !== undefined && { mint: { minter, cap: value('cap') ?? null } }),
    },
  )
  for (const [key, amount] of entries) {
    const [kind, owner = '', spender = ''] = key.split('/')
    if (kind !== 'allowance' || amount === '0') continue
    const message = toJson({ increase_allowance: { spender, amount } })
    const call = { sender: owner, contract: instance.address, message, funds: [] }
    contracts.execute(store, blockContext, createGasMeter(ENDLESS), call)
  }
}

/** The wasm takes over the same JSON under the same keys, except for one number. */
function upgradeOrders(contracts: Contracts, store: Store, blockContext: BlockContext, instance: Instance): void {
  const storage = storageOf(store, instance.address)
  const locked = storage.get('escrow')
  if (locked !== undefined) storage.set('escrow', JSON.stringify(locked))
  contracts.migrate(store, blockContext, { ...instance, code: CODES.firstOrders, admin: '' }, {})
}
