import { randomBytes } from 'node:crypto'
import {
  AppError,
  CREDITS_MAX,
  CREDITS_MIN,
  type contract,
  type ExchangeOrder,
  errorText,
  type Lang,
  OPEN_EXCHANGES_MAX,
  type Output,
  type Parsed,
  QUOTE_LIFE,
  TNT4_DECIMALS,
} from '@tidenet/contract'
import { lockAccountForUpdate, requireLinkedWallet } from '../../identity/index.ts'
import { countFailure } from '../../platform/attempts/attempts.ts'
import type { Member } from '../../platform/http/callers.ts'
import { mapChainErrors, requireChain } from '../chain/chain.ts'
import { now } from '../context.ts'
import { currentRate, type Deps, decimal, findExchange, quoteOf, requireExchange, requirePartner } from './offer.ts'
import { type PartnerAccount, PartnerUnclear, partnerOf } from './partner.ts'
import { insertTestCoins, latestTestCoins, type TestCoinsRow } from './payments-repository.ts'
import { ensureReading, readTransaction } from './read.ts'
import * as repository from './repository.ts'
import { toWireOrders, toWireRate } from './wire.ts'

type Operations = typeof contract.exchange
type Order = Output<Operations['status']>

/** Lookups at the partner, so that nobody uses us to find out who has an account there. */
const LOOKUPS = { kind: 'exchange accounts', max: 60, within: 3_600_000 }

export interface Offer {
  token: { address: string; name: string; symbol: string; decimals: number } | null
  reachable: boolean
  /** Why exchanges are not available; empty if they are. */
  reason: string
}

/** Whether exchanges are available now, checked against the chain and the partner. */
export async function readOffer(context: Pick<Deps, 'chain' | 'config'>, lang: Lang): Promise<Offer> {
  const partner = partnerOf(context.config.exchange)
  const exchange = findExchange(context)
  const [info, status, reachable] = await Promise.all([
    exchange?.token.info().catch(() => undefined),
    // Known facts of the token do not show that the chain answers.
    exchange && context.chain?.port.status().catch(() => undefined),
    partner?.check().then(
      () => true,
      () => false,
    ) ?? false,
  ])
  const problem = !partner
    ? 'exchangeNotConfigured'
    : !context.chain
      ? 'chainNotConfigured'
      : !exchange
        ? 'exchangeNoToken'
        : !info || !status
          ? 'chainUnavailable'
          : !reachable
            ? 'exchangePartnerUnavailable'
            : undefined
  return {
    token: exchange && info ? { address: exchange.token.address, ...info } : null,
    reachable,
    reason: problem ? errorText(problem, lang) : '',
  }
}

export async function readRate(context: Deps, offer: Offer): Promise<Output<Operations['rate']>> {
  const { exchange } = context.config
  const rate = await currentRate(context.db)
  return {
    ...toWireRate({ usd_per_tnt4: rate.usdPerTnt4, credits_per_usd: rate.creditsPerUsd, discount: rate.discount }),
    min: CREDITS_MIN,
    max: CREDITS_MAX,
    fee: decimal(exchange.fee, TNT4_DECIMALS),
    quote_life: QUOTE_LIFE / 1000,
    partner: exchange.url === '' ? null : { name: exchange.name, simulated: exchange.simulated },
    reachable: offer.reachable,
    token: offer.token,
    test_coins: hasTestCoins(context) ? exchange.testCoins : 0,
    reason: offer.reason,
  }
}

const hasTestCoins = ({ chain, config }: Pick<Deps, 'chain' | 'config'>): boolean =>
  chain?.tnt4 !== undefined && chain.config.development && config.exchange.testCoins > 0

/** @throws AppError exchangeNotConfigured, exchangeAccountUnknown, exchangePartnerUnavailable, tooManyRequests */
export async function verifyAccount(context: Deps, caller: Member, account: string): Promise<PartnerAccount> {
  const partner = requirePartner(context)
  const seconds = await countFailure(context, LOOKUPS, String(caller.userId))
  if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  const found = await partner.lookup(account).catch((error: unknown) => {
    if (!(error instanceof PartnerUnclear)) throw error
    context.log.warn({ why: error.message }, 'the partner gave no clear answer')
    throw new AppError('exchangePartnerUnavailable')
  })
  if (!found) throw new AppError('exchangeAccountUnknown')
  return found
}

const simulatedOf = ({ config }: Pick<Deps, 'config'>): boolean => config.exchange.simulated

/** Decimals of TNT4. Records stay readable without the chain. */
async function decimalsOf(context: Pick<Deps, 'chain' | 'config'>): Promise<number> {
  const info = await context.chain?.tnt4?.info().catch(() => undefined)
  return info?.decimals ?? TNT4_DECIMALS
}

export async function wiringOf(context: Deps, lang: Lang) {
  return { decimals: await decimalsOf(context), simulated: simulatedOf(context), lang }
}

async function toWire(context: Deps, row: repository.ExchangeRow, lang: Lang): Promise<Order> {
  const [wired] = await toWireOrders(context.db, [row], await wiringOf(context, lang))
  return { order: (wired as { order: ExchangeOrder }).order }
}

/** @throws AppError exchangeUnknown, also for another account's */
async function requireOwn(context: Deps, caller: Member, id: string): Promise<repository.ExchangeRow> {
  const row = await repository.findExchange(context.db, id)
  if (!row || row.user_id !== caller.userId) throw new AppError('exchangeUnknown')
  return row
}

/** Creates an exchange with a quote. */
export async function create(
  context: Deps,
  caller: Member,
  { account, points }: Parsed<Operations['create']>,
  lang: Lang,
): Promise<Order> {
  const exchange = requireExchange(context)
  requirePartner(context)
  await requireLinkedWallet(context.db, caller.userId)
  const { decimals } = await mapChainErrors(exchange.token.info)
  await ensureReading(context, exchange)
  // The account's id never changes: what is verified now is credited later.
  const { id, name } = await verifyAccount(context, caller, account)
  const row = await context.db.transaction(async (tx) => {
    // Serializes exchanges and wallet changes of the account.
    await lockAccountForUpdate(tx, caller.userId)
    const wallet = await requireLinkedWallet(tx, caller.userId)
    if ((await repository.countWaiting(tx, caller.userId)) >= OPEN_EXCHANGES_MAX)
      throw new AppError('exchangeOpen', { max: OPEN_EXCHANGES_MAX })
    const at = now(context)
    return repository.insertExchange(tx, {
      // Nobody can guess the memo of a payment that is not public yet.
      id: `ex-${randomBytes(12).toString('hex')}`,
      user_id: caller.userId,
      wallet,
      account: id,
      account_name: name,
      points,
      state: 'in_progress',
      reason: '',
      quote: quoteOf(points, await currentRate(tx), decimals),
      expires_at: new Date(at.getTime() + QUOTE_LIFE),
      at,
    })
  })
  return toWire(context, row, lang)
}

/** Renews the quote and confirms it, if its price is the agreed one. */
export async function confirm(
  context: Deps,
  caller: Member,
  { id, tnt4 }: Parsed<Operations['confirm']>,
  lang: Lang,
): Promise<Output<Operations['confirm']>> {
  await requireOwn(context, caller, id)
  const exchange = requireExchange(context)
  requirePartner(context)
  const { decimals } = await mapChainErrors(exchange.token.info)
  await ensureReading(context, exchange)
  const row = await context.db.transaction(async (tx) => {
    const found = await repository.lockExchange(tx, id)
    if (found?.state !== 'in_progress') throw new AppError('exchangeEnded')
    const quote = quoteOf(found.points, await currentRate(tx), decimals)
    const at = now(context)
    return repository.setQuote(tx, found.no, quote, {
      confirmed: decimal(quote.units, decimals) === tnt4,
      expires_at: new Date(at.getTime() + QUOTE_LIFE),
      at,
    })
  })
  const { order } = await toWire(context, row, lang)
  return {
    order,
    recalculated: !row.confirmed,
    payment: row.confirmed
      ? {
          contract: exchange.token.address,
          msg: { transfer: { recipient: exchange.address, amount: row.units } },
          memo: row.id,
        }
      : null,
  }
}

/** Reads one transaction at once. The hash proves nothing: its payments are read from the chain. */
export async function lookForPayment(
  context: Deps,
  caller: Member,
  { id, hash }: Parsed<Operations['hash']>,
  lang: Lang,
): Promise<Order> {
  await requireOwn(context, caller, id)
  const exchange = requireExchange(context)
  await mapChainErrors(() => readTransaction(context, exchange, hash))
  return readStatus(context, caller, id, lang)
}

export async function cancel(context: Deps, caller: Member, id: string, lang: Lang): Promise<Order> {
  const { no } = await requireOwn(context, caller, id)
  if ((await repository.endUnpaid(context.db, no, 'cancelled', now(context))) === 0) throw new AppError('exchangeEnded')
  return readStatus(context, caller, id, lang)
}

export const readStatus = async (context: Deps, caller: Member, id: string, lang: Lang): Promise<Order> =>
  toWire(context, await requireOwn(context, caller, id), lang)

export async function listRecords(
  context: Deps,
  caller: Member,
  { status, from, to, page, size }: Parsed<Operations['records']>,
  lang: Lang,
): Promise<Output<Operations['records']>> {
  const filter = { status, from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined }
  const rows = await repository.pageOfRecords(context.db, caller.userId, filter, size, (page - 1) * size)
  const wired = await toWireOrders(context.db, rows, await wiringOf(context, lang))
  return {
    list: wired.map(({ order }) => order),
    total: await repository.countRecords(context.db, caller.userId, filter),
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const toWireClaim = ({ wallet, amount, payment, created_at, state }: TestCoinsRow) => ({
  account: wallet,
  amount,
  hash: payment ?? '',
  created_at: created_at.toISOString(),
  state,
})

/** `payTestCoins` sends them. @throws AppError exchangeNoToken, exchangeNoTestCoins, walletRequired, claimedToday */
export async function claimTestCoins(context: Deps, caller: Member): Promise<ReturnType<typeof toWireClaim>> {
  requireExchange(context)
  if (!hasTestCoins(context)) throw new AppError('exchangeNoTestCoins')
  const wallet = await requireLinkedWallet(context.db, caller.userId)
  const at = now(context)
  const amount = context.config.exchange.testCoins
  const claim = await insertTestCoins(context.db, { userId: caller.userId, wallet, day: dayOf(at), amount, at })
  if (!claim) throw new AppError('claimedToday')
  return toWireClaim(claim)
}

/** TNT4 and fee coins of the linked wallet. */
export async function readWallet(context: Deps, caller: Member): Promise<Output<Operations['wallet']>> {
  const chain = requireChain(context)
  const { token } = requireExchange(context)
  const address = await requireLinkedWallet(context.db, caller.userId)
  const latest = await latestTestCoins(context.db, {
    userId: caller.userId,
    wallet: address,
    day: dayOf(now(context)),
  })
  return mapChainErrors(async () => {
    const [{ decimals }, units, gas] = await Promise.all([
      token.info(),
      token.balance(address),
      chain.port.balance(address, chain.config.denom),
    ])
    return {
      address,
      tnt4: decimal(units, decimals),
      units: String(units),
      gas: String(gas),
      claim: latest ? toWireClaim(latest) : null,
      can_claim: hasTestCoins(context) && !latest?.today,
    }
  })
}

export { countUnfinished } from './repository.ts'
