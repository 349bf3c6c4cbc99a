import { ChainUnreachable } from '@tidenet/chain-client'
import type { Chain } from '../chain/chain.ts'
import type { Context } from '../context.ts'
import { type Floor, floorOf } from './money.ts'
import { factorOf } from './price.ts'

/**
 * The floor of the orders contract: the least that an hour costs there, whoever pays. Without it a stranger could hold all capacity for one
 * unit. Every server with the operator's key keeps it at what the tariff asks at least.
 */

/** The first version of the contract that has a floor. */
const VERSION = 2

interface ContractConfig {
  version?: number
  operator: string
  floor?: Record<keyof Floor, string>
}

/** Servers whose floor is set, or cannot be. The key and the tariff are those of the start. */
const settled = new WeakSet<Chain>()

/** In millionths of the token's smallest unit. */
async function wantedFloor(context: Context, chain: Chain): Promise<Record<keyof Floor, string>> {
  const { cpu, memory, disk } = floorOf(factorOf(context))
  const unit = await chain.units(1)
  const exact = (millionths: number) => String(BigInt(millionths) * unit)
  return { cpu: exact(cpu), memory: exact(memory), disk: exact(disk) }
}

/**
 * Sets the floor once after the start, if it is another one. Servers that do so at the same time set the same. Tried again while the chain
 * is not available.
 */
export async function setFloor(context: Context): Promise<void> {
  const { chain, log } = context
  if (!chain?.operator || settled.has(chain)) return
  try {
    const known = await chain.port.query<ContractConfig>(chain.orders, { config: {} })
    const { address } = chain.operator
    if (known.operator !== address) {
      settled.add(chain)
      const facts = { operator: known.operator, key: address }
      log.warn(facts, 'the key of this server is not the operator of the orders contract: it ends and renews no orders')
      return
    }
    if ((known.version ?? 1) < VERSION) {
      settled.add(chain)
      log.warn({ version: known.version ?? 1 }, 'the orders contract has no floor price: migrate it')
      return
    }
    const floor = await wantedFloor(context, chain)
    const { floor: now } = known
    if (now?.cpu !== floor.cpu || now.memory !== floor.memory || now.disk !== floor.disk) {
      await chain.operator.execute([{ execute: { contract: chain.orders, msg: { update_config: { floor } } } }])
      log.info({ floor, before: now ?? null }, 'the floor price of orders is set')
    }
    settled.add(chain)
  } catch (error) {
    // Anything else, such as an account without coins for the fee, is logged once, and tried again.
    if (!(error instanceof ChainUnreachable)) throw error
  }
}
