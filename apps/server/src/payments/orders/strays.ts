import type { Chain } from '../chain/chain.ts'
import type { Context } from '../context.ts'
import { findCreation, type OnChain, type OrderKey, readStrays } from './on-chain.ts'

/**
 * Orders that somebody else paid for with the id of an order of ours: from another wallet by mistake, or to disturb. Nothing is delivered for
 * them, so their money goes back. One that replaced an order of its payer may have hours that were used, so those are charged as usual.
 */

/** Per look at a batch of orders: a stranger must not delay the others. */
const RELEASED_MAX = 5
/** By payer and id: the last block that can include the transaction that releases it. */
const submitted = new Map<string, number>()
const REMEMBERED_MAX = 1000

/** @param height of a recent block */
export async function releaseStrays(
  { chain, log }: Context,
  orders: readonly OrderKey[],
  height: number,
): Promise<void> {
  const operator = chain?.operator
  if (!operator) return
  const strays = await readStrays(chain, orders).catch((error: unknown) => {
    log.debug({ err: error }, 'the chain is unavailable')
    return []
  })
  for (const stray of strays.slice(0, RELEASED_MAX))
    await releaseStray(chain, operator, stray, height).catch((error: unknown) =>
      log.warn({ order: stray.id, err: error }, 'an order of another payer was not released'),
    )
}

async function releaseStray(
  chain: Chain,
  operator: NonNullable<Chain['operator']>,
  { id, initiator: payer }: OnChain,
  height: number,
): Promise<void> {
  const key = `${payer}/${id}`
  if (height <= (submitted.get(key) ?? 0)) return
  const made = await findCreation(chain, { id, payer })
  // Not indexed yet.
  if (!made) return
  const msg = { release_order: { order_id: id, payer, ...(!made.replaced && { whole: true }) } }
  const { lastHeight } = await operator.submit([{ execute: { contract: chain.orders, msg } }])
  if (submitted.size >= REMEMBERED_MAX) submitted.clear()
  submitted.set(key, lastHeight)
}
