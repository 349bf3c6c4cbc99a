import { createHash } from 'node:crypto'
import { fromUtf8, toBase64, toBech32, toUtf8 } from '@cosmjs/encoding'
import { begin, codes, type Genesis, ordersAddress, tnt4Address, tokenAddress } from '../genesis.ts'
import { balanceOf, setBalance } from '../state/bank.ts'
import { createContracts, RULES, toJson } from '../state/contracts.ts'
import { createGasMeter, ENDLESS } from '../state/gas.ts'
import { createStore } from '../state/store.ts'

/** The state of a chain without blocks: the contracts, their tokens and some people, at a time that the test sets. */

const PREFIX = 'tide'
export const addressOf = (name: string): string =>
  toBech32(PREFIX, createHash('sha256').update(name).digest().subarray(0, 20))

/** What a portal offers for each transaction. */
export const GAS_OFFERED = 990_000n
/** Of each token, to each tenant: amounts of 18 decimals are beyond 64 bits. */
export const WEALTH = 10n ** 30n

export interface OrderShown {
  id: string
  initiator: string
  resource: { cpu: number; memory: number; disk: number }
  start_time: number
  duration: number
  locked: string
  lots: { hours: number; amount: string }[]
  status: string
}

export function createTenants(tenants: readonly string[]) {
  const token = { name: 'token', symbol: 'TOKEN', decimals: 18, supply: String(WEALTH * BigInt(tenants.length)) }
  const genesis: Genesis = {
    rules: RULES,
    chainId: 'test-1',
    prefix: PREFIX,
    denom: 'utide',
    minGasPrice: '0',
    blockSeconds: 6,
    time: 0,
    operator: addressOf('operator'),
    treasury: addressOf('treasury'),
    token,
    rewards: token,
    tnt4: token,
    coins: '1000000',
  }
  const contracts = createContracts(genesis, codes)
  const store = createStore()
  begin(genesis, contracts, store)
  const orders = ordersAddress(genesis)
  const tokens = [tokenAddress(genesis), tnt4Address(genesis)] as const
  const context = { height: 1, time: 0, rules: RULES }

  const ask = <T>(contract: string, question: object): T =>
    JSON.parse(fromUtf8(contracts.query(store, context, contract, toJson(question))))

  /** @returns gas and attributes, or undefined if it was refused; then nothing has changed, as on the chain */
  function execute(sender: string, contract: string, message: object, coins = 0) {
    const gas = createGasMeter(ENDLESS)
    const funds = coins > 0 ? [{ denom: 'utide', amount: String(coins) }] : []
    try {
      const { events } = store.atomically(() =>
        contracts.execute(store, context, gas, { sender, contract, message: toJson(message), funds }),
      )
      return { gas: gas.used, attributes: events.flatMap(({ attributes }) => attributes) }
    } catch {
      return undefined
    }
  }
  for (const name of tenants) {
    setBalance(store, addressOf(name), 1_000_000n)
    for (const each of tokens)
      execute(addressOf('operator'), each, { transfer: { recipient: addressOf(name), amount: String(WEALTH) } })
  }

  return {
    orders,
    tokens,
    context,
    ask,
    execute,
    pay: (payer: string, amount: bigint, order: object, from = tokens[0]) =>
      execute(addressOf(payer), from, { send: { contract: orders, amount: String(amount), msg: packed(order) } }),
    balance: (contract: string, address: string) =>
      BigInt(ask<{ balance: string }>(contract, { balance: { address } }).balance),
    coinsOf: (address: string) => balanceOf(store, address),
    giveCoins: (address: string, amount: bigint) => setBalance(store, address, balanceOf(store, address) + amount),
    allowance: (owner: string) =>
      BigInt(
        ask<{ allowance: string }>(tokens[0], { allowance: { owner: addressOf(owner), spender: orders } }).allowance,
      ),
    /** Gas of a question. */
    cost(contract: string, question: object): bigint {
      const gas = createGasMeter(ENDLESS)
      contracts.query(store, context, contract, toJson(question), gas)
      return gas.used
    },
    order: (payer: string, order_id: string): OrderShown | undefined =>
      ask<OrderShown[]>(orders, { orders_by_key: { keys: [{ payer: addressOf(payer), order_id }] } })[0],
  }
}

export const packed = (order: object): string => toBase64(toUtf8(JSON.stringify(order)))
