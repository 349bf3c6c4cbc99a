import { found, problemOf, renewOrder } from '@tidenet/chain-client'
import { AppError, type AutoRenewProblem, type contract, isRenewable, type Output } from '@tidenet/contract'
import { type Chain, mapChainErrors, requireChain } from '../chain/chain.ts'
import { feeOf, usualFee } from '../chain/fees.ts'
import { type Context, now } from '../context.ts'
import { applyExtension } from './confirm.ts'
import { costOfRenewal, formatUnits, MAX_HOURS } from './money.ts'
import { notifyOwner } from './notices.ts'
import { messageOf } from './payments.ts'
import { changePayment, insertPayment, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { addEvent, autoRenewBudgetOf, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { ALLOWANCE_TIMEOUT, AUTO_CHECK_INTERVAL, autoRenewAt } from './times.ts'

/**
 * Automatic renewal: the wallet grants the orders contract an allowance. The network asks the contract to renew an order from it, never above
 * the cap. The contract spends the allowance on nothing else than the payer's own orders, at no more per hour than their first hours cost.
 */

const BLOCK_TIMEOUT_MS = 15_000
const autoRenewSupport = new WeakMap<Chain, boolean>()

/** Whether this server is the contract's operator; false while the chain is unavailable. */
export async function canAutoRenew(chain: Chain | undefined): Promise<boolean> {
  if (!chain?.operator) return false
  const known = autoRenewSupport.get(chain)
  if (known !== undefined) return known
  try {
    const { operator } = await chain.port.query<{ operator: string }>(chain.orders, { config: {} })
    const can = operator === chain.operator.address
    autoRenewSupport.set(chain, can)
    return can
  } catch {
    return false
  }
}

/** The allowance of a wallet, in units. */
export async function allowanceOf(chain: Chain, owner: string): Promise<bigint> {
  const question = { allowance: { owner, spender: chain.orders } }
  const { allowance } = await chain.port.query<{ allowance: string }>(chain.token, question)
  return BigInt(allowance)
}

/** The next automatic renewal: as many hours as were bought first. */
export function nextRenewal(order: OrderRow, factor: number): { duration: number; cost: number } | undefined {
  const duration = Math.min(MAX_HOURS, order.duration + order.bought)
  if (duration <= order.duration) return undefined
  return { duration, cost: costOfRenewal(order, duration, factor) }
}

/** Pays the extension of an order that is about to end. @throws errors of the chain; the step is retried */
export async function autoRenew(
  context: Context,
  chain: Chain,
  order: OrderRow,
  { height }: { height: number | undefined },
): Promise<void> {
  const next = nextRenewal(order, factorOf(context))
  if (!next) return stop(context, order, 'longest')
  if (order.auto_spent + next.cost > order.auto_cap) return stop(context, order, 'cap')
  const units = await chain.units(next.cost)
  // A payment that was sent and is not confirmed yet.
  const sent = (await paymentsOf(context.db, order.id)).find(({ auto, state }) => auto && state === 'submitted')
  if (sent) {
    const tx = await chain.port.tx(sent.hash)
    if (!tx && height !== undefined && height <= sent.from_height) return
    if (tx?.code === 0) return void (await applyExtension(context, chain, order))
    await changePayment(context.db, sent.id, { state: 'failed' })
  }
  const { operator } = chain
  if (!operator || !(await canAutoRenew(chain)) || (await allowanceOf(chain, order.payer)) < units)
    return stop(context, order, 'allowance')
  const message = messageOf('renewal', order, next.duration)
  const at = now(context)
  let row: { id: number } | undefined
  try {
    const { hash } = await operator.submit(
      [{ execute: { contract: chain.orders, msg: renewOrder(order.id, order.payer, next.duration, units) } }],
      {
        async onSigned({ hash: signed, lastHeight }) {
          row ??= await insertPayment(context.db, {
            order_id: order.id,
            kind: 'renewal',
            payer: order.payer,
            cost: next.cost,
            amount: String(units),
            duration: next.duration,
            message,
            // Here the last block that can include the transaction.
            from_height: lastHeight,
            chain_id: chain.config.id,
            auto: true,
            created_at: at,
            expires_at: order.expired_at,
          })
          await changePayment(context.db, row.id, { state: 'submitted', hash: signed })
        },
      },
    )
    const tx = await found(chain.port, hash, BLOCK_TIMEOUT_MS)
    if (tx.code !== 0) throw new Error(tx.log)
    await applyExtension(context, chain, order)
  } catch (error) {
    const problem = problemOf(error)
    if (problem === 'unreachable' || problem === 'pending') throw error
    if (row) await changePayment(context.db, row.id, { state: 'failed', problem })
    await stop(context, order, problem)
  }
}

/** Why the next renewal would fail now; undefined if this network cannot renew at all. @throws errors of the chain */
async function problemOfNext(context: Context, chain: Chain, order: OrderRow): Promise<AutoRenewProblem | undefined> {
  if (!(await canAutoRenew(chain))) return undefined
  const next = nextRenewal(order, factorOf(context))
  if (!next) return 'longest'
  if (next.cost > order.auto_cap - order.auto_spent) return 'cap'
  const units = await chain.units(next.cost)
  if ((await allowanceOf(chain, order.payer)) < units) return 'allowance'
  return (await chain.tokenBalance(order.payer)) < units ? 'funds' : ''
}

/** Notifies the owner as soon as the next renewal would fail, so that there is time to change that. @throws errors of the chain */
export async function checkAutoRenew(context: Context, chain: Chain, order: OrderRow): Promise<void> {
  const problem = await problemOfNext(context, chain, order)
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (!own?.auto_renew || own.duration !== order.duration || own.auto_cap !== order.auto_cap) return
    const at = now(context)
    const auto_check_at = new Date(at.getTime() + AUTO_CHECK_INTERVAL)
    await changeOrder(tx, own.id, { auto_check_at, ...(problem !== undefined && { auto_problem: problem }) })
    if (problem === undefined || problem === '' || problem === own.auto_problem) return
    await addEvent(tx, { id: own.id, event: 'autoRenewAtRisk', at, fact: problem })
    const about = `${own.expired_at.toISOString()} ${problem}`
    await notifyOwner(context, tx, own, 'autoRenewAtRisk', { fact: problem, about })
  })
}

/** Switches automatic renewal off and notifies the owner, who can still renew manually. */
async function stop(context: Context, order: OrderRow, fact: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (!own?.auto_renew) return
    const at = now(context)
    await changeOrder(tx, own.id, { auto_renew: false }, at)
    await addEvent(tx, { id: own.id, event: 'autoRenewFailed', at, fact })
    await notifyOwner(context, tx, own, 'autoRenewFailed', { about: own.expired_at.toISOString() })
  })
}

export const canRenew = ({ status, ending }: Pick<OrderRow, 'status' | 'ending'>): boolean =>
  isRenewable(status) && ending === null

/**
 * Switches automatic renewal on or off, and returns what the wallet has to sign: a change of its allowance, which is one sum for all its
 * orders, to what they may still cost. An order that has ended can only be switched off.
 */
export async function setAutoRenew(
  context: Context,
  order: OrderRow,
  { on, cap, dry_run }: { on: boolean; cap: number; dry_run: boolean },
): Promise<Output<typeof contract.orders.autoRenew>> {
  const chain = requireChain(context)
  if (on && !(await canAutoRenew(chain))) throw new AppError('autoRenewImpossible')
  if (on && cap <= order.auto_spent) throw new AppError('autoRenewCap')
  if (on && !canRenew(order)) throw new AppError('orderStatus')
  const [allowance, needed] = await mapChainErrors(async () => [
    await allowanceOf(chain, order.payer),
    await chain.units((on ? cap - order.auto_spent : 0) + (await autoRenewBudgetOf(context.db, order.payer, order.id))),
  ])
  if (!dry_run)
    await context.db.transaction(async (tx) => {
      const own = await lockOrder(tx, order.id)
      if (!own || (on && !canRenew(own))) throw new AppError('orderStatus')
      const limit = on ? cap : own.auto_cap
      if (own.auto_renew === on && own.auto_cap === limit) return
      const at = now(context)
      // The wallet may sign the allowance after this call.
      const auto_check_at = new Date(at.getTime() + ALLOWANCE_TIMEOUT)
      const check = { auto_check_at, auto_problem: '' } as const
      await changeOrder(tx, own.id, { auto_renew: on, auto_cap: limit, ...check, ...(on && { due_at: at }) }, at)
      await addEvent(tx, { id: own.id, event: on ? 'autoRenewOn' : 'autoRenewOff', at, fact: on ? String(cap) : '' })
    })
  const spender = chain.orders
  const execute = needed === allowance ? '' : JSON.stringify(allowanceChange(spender, needed - allowance))
  const { denom } = chain.config
  const fee = await mapChainErrors(() =>
    execute === '' ? usualFee(chain) : feeOf(chain, order.payer, chain.token, execute),
  )
  return {
    on,
    cap: on ? cap : order.auto_cap,
    spent: order.auto_spent,
    payer: order.payer,
    token: chain.token,
    spender,
    allowance: String(allowance),
    needed: String(needed),
    execute,
    fee: { ...fee, denom },
  }
}

const allowanceChange = (spender: string, units: bigint) =>
  units > 0n
    ? { increase_allowance: { spender, amount: String(units) } }
    : { decrease_allowance: { spender, amount: String(-units) } }

/** Automatic renewal in the details of an order; the chain is queried only if it was ever switched on. */
export async function readAutoRenew(
  context: Context,
  order: OrderRow,
  decimals: number,
): Promise<Output<typeof contract.orders.details>['auto_renew']> {
  const { db, chain } = context
  const runs = canRenew(order)
  const possible = await canAutoRenew(chain)
  const next = runs && order.started_at ? nextRenewal(order, factorOf(context)) : undefined
  const at = autoRenewAt(order.started_at?.getTime() ?? 0, order.expired_at.getTime())
  const base = {
    on: order.auto_renew && runs,
    cap: order.auto_cap,
    spent: order.auto_spent,
    possible,
    allowed: '',
    needed: '',
    next: next ? { ...next, at: new Date(at).toISOString() } : null,
    problem: order.auto_renew && runs ? order.auto_problem : ('' as const),
  }
  if (!chain || !possible || order.auto_cap === 0) return base
  const amounts = await Promise.all([
    allowanceOf(chain, order.payer),
    autoRenewBudgetOf(db, order.payer).then((coins) => chain.units(coins)),
  ]).catch(() => undefined)
  if (!amounts) return base
  const [allowed, needed] = amounts.map((units) => formatUnits(units, decimals)) as [string, string]
  return { ...base, allowed, needed }
}
