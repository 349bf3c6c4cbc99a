import type { FormerCall as Call, FormerCode, FormerOutcome as Outcome } from './code.ts'
import { readVariant, strictFields, text, uint } from './messages.ts'

/** The cw20 token of these blocks. */

interface TokenInfo {
  name: string
  symbol: string
  decimals: number
  total_supply: string
}

const balanceKey = (address: string) => `balance/${address}`
const allowanceKey = (owner: string, spender: string) => `allowance/${owner}/${spender}`

const balance = ({ storage }: Pick<Call, 'storage'>, address: string): bigint =>
  BigInt(storage.get(balanceKey(address)) ?? '0')

function setBalance({ storage }: Call, address: string, amount: bigint): void {
  storage.set(balanceKey(address), String(amount))
}

const info = ({ storage }: Pick<Call, 'storage'>): TokenInfo => JSON.parse(storage.get('info') ?? '{}') as TokenInfo

function take(call: Call, owner: string, amount: bigint): void {
  const has = balance(call, owner)
  if (has < amount) throw new Error(`Overflow: Cannot Sub with ${has} and ${amount}`)
  setBalance(call, owner, has - amount)
}

function give(call: Call, to: string, amount: bigint): void {
  setBalance(call, to, balance(call, to) + amount)
}

function addSupply(call: Call, amount: bigint): void {
  const known = info(call)
  const total = BigInt(known.total_supply) + amount
  const cap = call.storage.get('cap')
  if (cap !== undefined && total > BigInt(cap)) throw new Error('Minting cannot exceed the cap')
  call.storage.set('info', JSON.stringify({ ...known, total_supply: String(total) }))
}

/** Deducts an amount from the allowance of a spender. */
function spend(call: Call, owner: string, amount: bigint): void {
  const key = allowanceKey(owner, call.sender)
  const allowed = BigInt(call.storage.get(key) ?? '0')
  if (call.storage.get(key) === undefined) throw new Error('No allowance for this account')
  if (allowed < amount) throw new Error(`Overflow: Cannot Sub with ${allowed} and ${amount}`)
  call.storage.set(key, String(allowed - amount))
}

const receive = (call: Call, contract: string, amount: bigint, msg: string) => ({
  contract,
  message: { receive: { sender: call.sender, amount: String(amount), msg } },
})

const actions: Record<string, (call: Call, body: Record<string, unknown>) => Outcome> = {
  transfer(call, body) {
    const { recipient, amount } = strictFields(body, { recipient: text, amount: uint })
    const to = call.addressOf(recipient)
    take(call, call.sender, amount)
    give(call, to, amount)
    return { attributes: { action: 'transfer', from: call.sender, to, amount: String(amount) } }
  },
  send(call, body) {
    const { contract, amount, msg } = strictFields(body, { contract: text, amount: uint, msg: text })
    const to = call.addressOf(contract)
    take(call, call.sender, amount)
    give(call, to, amount)
    return {
      attributes: { action: 'send', from: call.sender, to, amount: String(amount) },
      calls: [receive(call, to, amount, msg)],
    }
  },
  burn(call, body) {
    const { amount } = strictFields(body, { amount: uint })
    take(call, call.sender, amount)
    addSupply(call, -amount)
    return { attributes: { action: 'burn', from: call.sender, amount: String(amount) } }
  },
  mint(call, body) {
    const { recipient, amount } = strictFields(body, { recipient: text, amount: uint })
    const to = call.addressOf(recipient)
    if (call.storage.get('minter') !== call.sender) throw new Error('Unauthorized')
    addSupply(call, amount)
    give(call, to, amount)
    return { attributes: { action: 'mint', to, amount: String(amount) } }
  },
  increase_allowance(call, body) {
    const { spender, amount } = strictFields(body, { spender: text, amount: uint })
    const to = call.addressOf(spender)
    if (to === call.sender) throw new Error('Cannot set to own account')
    const key = allowanceKey(call.sender, to)
    call.storage.set(key, String(BigInt(call.storage.get(key) ?? '0') + amount))
    return { attributes: { action: 'increase_allowance', owner: call.sender, spender: to, amount: String(amount) } }
  },
  decrease_allowance(call, body) {
    const { spender, amount } = strictFields(body, { spender: text, amount: uint })
    const to = call.addressOf(spender)
    const key = allowanceKey(call.sender, to)
    const left = BigInt(call.storage.get(key) ?? '0') - amount
    if (left > 0n) call.storage.set(key, String(left))
    else call.storage.delete(key)
    return { attributes: { action: 'decrease_allowance', owner: call.sender, spender: to, amount: String(amount) } }
  },
  transfer_from(call, body) {
    const { owner, recipient, amount } = strictFields(body, { owner: text, recipient: text, amount: uint })
    const [from, to] = [call.addressOf(owner), call.addressOf(recipient)]
    spend(call, from, amount)
    take(call, from, amount)
    give(call, to, amount)
    return { attributes: { action: 'transfer_from', from, to, by: call.sender, amount: String(amount) } }
  },
  send_from(call, body) {
    const { owner, contract, amount, msg } = strictFields(body, {
      owner: text,
      contract: text,
      amount: uint,
      msg: text,
    })
    const [from, to] = [call.addressOf(owner), call.addressOf(contract)]
    spend(call, from, amount)
    take(call, from, amount)
    give(call, to, amount)
    return {
      attributes: { action: 'send_from', from, to, by: call.sender, amount: String(amount) },
      calls: [receive(call, to, amount, msg)],
    }
  },
}

export const token: FormerCode = {
  name: 'cw20-base',

  instantiate(call, message) {
    const { name, symbol, decimals, initial_balances, mint } = message as TokenInfo & {
      initial_balances: { address: string; amount: string }[]
      mint?: { minter: string; cap?: string }
    }
    let total = 0n
    for (const { address, amount } of initial_balances) {
      setBalance(call, call.addressOf(address), BigInt(amount))
      total += BigInt(amount)
    }
    call.storage.set('info', JSON.stringify({ name, symbol, decimals, total_supply: String(total) }))
    if (mint) call.storage.set('minter', call.addressOf(mint.minter))
    if (mint?.cap) call.storage.set('cap', mint.cap)
    return { attributes: {} }
  },

  execute(call, message) {
    const [name, body] = readVariant(message, Object.keys(actions))
    return (actions[name] as NonNullable<(typeof actions)[string]>)(call, body)
  },
}
