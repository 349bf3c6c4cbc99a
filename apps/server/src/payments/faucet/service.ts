import { AppError, type Claim, type contract, type Output } from '@tidenet/contract'
import { requireLinkedWallet } from '../../identity/index.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Chain, mapChainErrors, requireChain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import {
  type ClaimRow,
  countClaimOfNetwork,
  countClaims,
  findClaim,
  insertClaim,
  listClaims,
  reservedInHour,
  reserveFromHour,
} from './repository.ts'
import { periodOf, zoneText } from './times.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'chain'>

const toWireClaim = ({ wallet, amount, payment, created_at, state, receipt_id }: ClaimRow): Claim => ({
  account: wallet,
  amount,
  hash: payment ?? '',
  created_at: created_at.toISOString(),
  state,
  receipt_id,
})

/** The rest of this hour's limit, and whether the caller can claim. @throws AppError chainNotConfigured, walletRequired */
export async function distributed(context: Deps, caller: Member): Promise<Output<typeof contract.faucet.distributed>> {
  const { amount, hourly, zone } = requireChain(context).config.faucet
  const wallet = await requireLinkedWallet(context.db, caller.userId)
  const period = periodOf(context.clock.now(), zone)
  const used = await reservedInHour(context.db, period.hour)
  const today = await findClaim(context.db, caller.userId, wallet, period.day)
  return {
    remaining_amount: Math.max(0, hourly - used),
    used_amount: used,
    next_time: period.nextHour.toISOString(),
    received: today !== undefined,
    next_claim_at: period.nextDay.toISOString(),
    claim_amount: amount,
    hourly_amount: hourly,
    zone: zoneText(zone),
    claim: today ? toWireClaim(today) : null,
  }
}

/**
 * Reserves a claim for the caller's wallet. `payClaims` pays it once the chain is available.
 * @throws AppError chainNotConfigured, walletRequired, claimedToday, claimQuota, tooManyClaims
 */
export async function receive(context: Deps, caller: Member, ip: string): Promise<Claim> {
  const { amount, hourly, zone, perNetwork } = requireChain(context).config.faucet
  const wallet = await requireLinkedWallet(context.db, caller.userId)
  const at = now(context)
  const { hour, day } = periodOf(at.getTime(), zone)
  const network = clientNetworkOf(ip)
  return context.db.transaction(async (tx) => {
    const claim = await insertClaim(tx, { userId: caller.userId, wallet, day, amount, network, at })
    if (!claim) throw new AppError('claimedToday')
    if ((await countClaimOfNetwork(tx, day, network, perNetwork)) === 0) throw new AppError('tooManyClaims')
    // All claims update this row: it comes last, so that it is locked only during the commit.
    if ((await reserveFromHour(tx, hour, amount, hourly)) === 0) throw new AppError('claimQuota')
    return toWireClaim(claim)
  })
}

export async function history(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { page, size }: { page: number; size: number },
) {
  await requireLinkedWallet(db, caller.userId)
  const list = await listClaims(db, caller.userId, size, (page - 1) * size)
  return { list: list.map(toWireClaim), total: await countClaims(db, caller.userId) }
}

/** Balances of the linked wallet. @throws AppError chainNotConfigured, walletRequired, chainUnavailable */
export async function balance(context: Deps, caller: Member): Promise<Output<typeof contract.faucet.balance>> {
  const chain = requireChain(context)
  const address = await requireLinkedWallet(context.db, caller.userId)
  return mapChainErrors(async () => {
    const [units, gas] = await Promise.all([
      chain.tokenBalance(address),
      chain.port.balance(address, chain.config.denom),
    ])
    return { balance: await inCoins(chain, units), units: String(units), gas: String(gas), address }
  })
}

/** Units as a decimal number of coins, without trailing zeros. */
async function inCoins(chain: Chain, units: bigint): Promise<string> {
  const decimals = await chain.tokenDecimals()
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return part === '' ? whole : `${whole}.${part}`
}

export { countUnpaidClaims } from './repository.ts'
