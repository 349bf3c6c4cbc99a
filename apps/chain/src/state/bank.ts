import type { Settings } from '../settings.ts'
import { type Address, readAddress } from './addresses.ts'
import { refuse } from './refusal.ts'
import type { Store } from './store.ts'

/** An event of a transaction. */
export interface ChainEvent {
  type: string
  attributes: { key: string; value: string }[]
}

export const event = (type: string, attributes: Record<string, string>): ChainEvent => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
})

/** An account; created when it first receives coins. */
export interface Account {
  address: string
  number: number
  sequence: number
  /** Compressed secp256k1, base64; known after its first transaction. */
  publicKey?: string | undefined
}

const accountKey = (address: string) => `account/${address}`
const balanceKey = (address: string) => `balance/${address}`

export function findAccount(store: Store, address: string): Account | undefined {
  const text = store.get(accountKey(address))
  return text === undefined ? undefined : (JSON.parse(text) as Account)
}

/** Accounts sorted by address, from one on, or to it if descending, inclusive. */
export function* accountsFrom(store: Store, address = '', descending = false): Generator<[address: string, Account]> {
  // The character after the slash ends the keys; the end of a range is exclusive.
  const end = descending && address !== '' ? `${accountKey(address)}\0` : 'account0'
  const entries = store.range(accountKey(descending ? '' : address), end, descending)
  for (const [key, text] of entries) yield [key.slice(accountKey('').length), JSON.parse(text) as Account]
}

export function saveAccount(store: Store, account: Account): void {
  store.set(accountKey(account.address), JSON.stringify(account))
}

/** The account of an address, created if new. */
export function getOrCreateAccount(store: Store, address: string): Account {
  const known = findAccount(store, address)
  if (known) return known
  const number = Number(store.get('accounts') ?? '0')
  store.set('accounts', String(number + 1))
  const account = { address, number, sequence: 0 }
  saveAccount(store, account)
  return account
}

/** In the smallest unit of the fee coin. */
export const balanceOf = (store: Store, address: string): bigint => BigInt(store.get(balanceKey(address)) ?? '0')

export function setBalance(store: Store, address: string, amount: bigint): void {
  if (amount === 0n) store.delete(balanceKey(address))
  else store.set(balanceKey(address), String(amount))
}

export interface Coin {
  denom: string
  amount: string
}

export const coinSpent = (spender: string, amount: string) => event('coin_spent', { spender, amount })
export const coinsReceived = (from: string, to: string, amount: string): ChainEvent[] => [
  event('coin_received', { receiver: to, amount }),
  event('transfer', { recipient: to, sender: from, amount }),
]

/** The event by which the bank names the sender, besides the event of the message. */
export const bankSender = (sender: string): ChainEvent => event('message', { sender })

/** Transfers coins; creates the receiver's account. Refuses other coins and amounts that are not positive. */
export function sendCoins(
  settings: Settings,
  store: Store,
  from: Address,
  to: string,
  coins: readonly Coin[],
): ChainEvent[] {
  readAddress(settings, to)
  const amount = sumOf(settings, coins)
  if (amount <= 0n) throw refuse.coins('amount must be positive')
  const has = balanceOf(store, from)
  if (has < amount)
    throw refuse.funds(`spendable balance ${has}${settings.denom} is smaller than ${amount}${settings.denom}`)
  setBalance(store, from, has - amount)
  setBalance(store, to, balanceOf(store, to) + amount)
  getOrCreateAccount(store, to)
  const text = `${amount}${settings.denom}`
  return [coinSpent(from, text), ...coinsReceived(from, to, text)]
}

/** The amount of the fee coin in a list. */
export function sumOf({ denom }: Settings, coins: readonly Coin[]): bigint {
  let sum = 0n
  for (const coin of coins) {
    if (coin.denom !== denom)
      throw refuse.funds(`spendable balance 0${coin.denom} is smaller than ${coin.amount}${coin.denom}`)
    if (!/^\d{1,39}$/.test(coin.amount)) throw refuse.coins(coin.amount)
    sum += BigInt(coin.amount)
  }
  return sum
}
