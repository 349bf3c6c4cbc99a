import { decodeTxRaw } from '@cosmjs/proto-signing'
import type { ChainPort } from '@tidenet/chain-client'
import type { LedgerEntry } from './sample-exchange.fixture.ts'

/** The books of the exchange as anybody can read them: from the chain and the partner's ledger. Uses no code and no table of the server. */

/** Where the books are. */
export interface Sources {
  port: { port: Pick<ChainPort, 'search'> }
  /** Addresses of TNT4 and of the exchange. */
  token: string
  address: string
  partner: { ledger(): LedgerEntry[] }
}

interface Move {
  hash: string
  memo: string
  from: string
  to: string
  units: bigint
}

export interface Books {
  payments: Move[]
  refunds: Move[]
  ledger: LedgerEntry[]
}

const search = ({ port, token, address }: Sources, key: 'from' | 'to') =>
  port.port.search(`wasm._contract_address='${token}' AND wasm.${key}='${address}'`)

/** The hashes of all transfers so far, such as those that gave wallets their TNT4. */
export const transfersSoFar = async (env: Sources): Promise<Set<string>> =>
  new Set((await search(env, 'from')).map(({ hash }) => hash))

/** @param without transactions that are not read. Heights do not tell: a chain with fast blocks goes back when it is killed. */
export async function readBooks(env: Sources, without: ReadonlySet<string>): Promise<Books> {
  const { token, address, partner } = env
  const moves = async (key: 'from' | 'to'): Promise<Move[]> => {
    const found = await search(env, key)
    return found
      .filter(({ hash, code }) => code === 0 && !without.has(hash))
      .flatMap(({ hash, bytes, events }) =>
        events
          .filter(({ type }) => type === 'wasm')
          .map(({ attributes }) => Object.fromEntries(attributes.map(({ key: name, value }) => [name, value])))
          .filter((values) => values._contract_address === token && values[key] === address)
          .map((values) => ({
            hash,
            memo: decodeTxRaw(bytes).body.memo,
            from: values.from ?? '',
            to: values.to ?? '',
            units: BigInt(values.amount ?? 0),
          })),
      )
  }
  return { payments: await moves('to'), refunds: await moves('from'), ledger: partner.ledger() }
}

/**
 * What does not add up; empty: everything does. Each key of the ledger takes one payment of what was asked for: credited, or refunded in
 * full. All other payments are refunded less the fee, or kept if they are not more than it. Nothing else is refunded.
 * @param asked units that wallets were asked to pay, by exchange
 */
export function unexplained(
  { payments, refunds, ledger }: Books,
  asked: ReadonlyMap<string, ReadonlySet<string>>,
  fee: bigint,
): string[] {
  const problems: string[] = []
  const keys = new Map<string, LedgerEntry>()
  for (const entry of ledger) {
    if (keys.has(entry.key)) problems.push(`${entry.key} is twice in the ledger`)
    keys.set(entry.key, entry)
  }
  // Refunds that are not explained yet, as wallet and amount.
  const left = refunds.map(({ to, units }) => `${to} ${units}`)
  const take = (to: string, units: bigint): boolean => {
    const at = left.indexOf(`${to} ${units}`)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  const byMemo = new Map<string, Move[]>()
  for (const payment of payments) {
    const memo = payment.memo.trim()
    byMemo.set(memo, [...(byMemo.get(memo) ?? []), payment])
  }
  for (const [memo, list] of byMemo) {
    const entry = keys.get(memo)
    const others = [...list]
    if (entry) {
      const right = others.filter(({ units }) => asked.get(memo)?.has(String(units)))
      // Of several prices, the one whose payment was not refunded less the fee.
      const taken = right.find(({ from, units }) => !left.includes(`${from} ${units - fee}`)) ?? right[0]
      if (!taken) {
        problems.push(`${memo} is ${entry.state} without a payment`)
        continue
      }
      others.splice(others.indexOf(taken), 1)
      if (entry.state === 'refused' && !take(taken.from, taken.units))
        problems.push(`${memo} was refused and not refunded`)
    }
    for (const { hash, from, units } of others)
      if (units > fee && !take(from, units - fee)) problems.push(`${hash} (${memo}, ${units}) is not refunded`)
  }
  for (const key of keys.keys()) if (!byMemo.has(key)) problems.push(`${key} is in the ledger without a payment`)
  return [...problems, ...left.map((refund) => `refund ${refund} has no reason`)]
}
