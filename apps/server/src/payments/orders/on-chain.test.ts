import type { ChainTransaction } from '@tidenet/chain-client'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { findCreation, findEnding, type OnChain, transactionsOf } from './on-chain.ts'

const ORDERS = 'tide1orders'
const own = { id: 'wanted', payer: 'tide1payer' }

let height = 0
function tx(attributes: Record<string, string>): ChainTransaction {
  height += 1
  const listed = Object.entries({ _contract_address: ORDERS, ...attributes }).map(([key, value]) => ({ key, value }))
  const hash = String(height).padStart(64, '0')
  const events = [{ type: 'wasm', attributes: listed }]
  return { hash, height, code: 0, codespace: '', log: '', bytes: new Uint8Array(), events }
}

/** A chain with these transactions, that answers nobody who asks for very many. */
function chainWith(list: ChainTransaction[]): Chain {
  const search = async (query: string) => {
    const wanted = [...query.matchAll(/wasm\.(\w+)='([^']*)'/g)]
    const found = list.filter(({ events }) =>
      wanted.every(([, key, value]) => events[0]?.attributes.some((each) => each.key === key && each.value === value)),
    )
    if (found.length > 50) throw new Error(`${query} finds ${found.length} transactions`)
    return found
  }
  return { orders: ORDERS, port: { search, tx: async () => undefined } } as unknown as Chain
}

/** Of somebody who buys, extends and ends orders with our id all the time. */
const flood = Array.from({ length: 100 }, () => [
  tx({ action: 'create_order', order_id: own.id, initiator: 'tide1stranger' }),
  tx({ action: 'extend_order', order_id: own.id, payer: 'tide1stranger' }),
  tx({ action: 'update_order', order_id: 'other', new_order_id: own.id, payer: 'tide1stranger' }),
]).flat()

const ended = { released: { height: 1, refund: '7' } } as OnChain

describe('what happened to an order', () => {
  it('is found however much a stranger does with its ID', async () => {
    const created = tx({ action: 'create_order', order_id: own.id, initiator: own.payer })
    const extended = tx({ action: 'extend_order', order_id: own.id, payer: own.payer })
    const released = tx({ action: 'release_order', order_id: own.id, payer: own.payer, refund: '5' })
    const chain = chainWith([...flood, created, extended, released])
    expect(await findCreation(chain, own)).toEqual({ tx: created, replaced: undefined })
    expect(await transactionsOf(chain, own)).toEqual([extended, released])
    expect(await findEnding(chain, { ...own, release_hash: '' }, ended)).toEqual({
      ...{ hash: released.hash, units: 5n, isFound: true },
    })
  })

  it('is found as well if it replaced another one', async () => {
    const attributes = { action: 'update_order', order_id: 'old', new_order_id: own.id, payer: own.payer, refund: '3' }
    const upgraded = tx(attributes)
    expect(await findCreation(chainWith([...flood, upgraded]), own)).toEqual({
      tx: upgraded,
      replaced: { id: 'old', refund: '3' },
    })
  })

  it('is found on a chain whose earlier contract named no payer', async () => {
    const created = tx({ action: 'create_order', order_id: own.id, initiator: own.payer })
    const extended = tx({ action: 'extend_order', order_id: own.id })
    const upgraded = tx({ action: 'update_order', order_id: own.id, new_order_id: 'next', refund: '3' })
    const chain = chainWith([created, extended, upgraded])
    expect((await findCreation(chain, own))?.tx).toBe(created)
    expect(await transactionsOf(chain, own)).toContain(extended)
    expect((await findCreation(chain, { ...own, id: 'next' }))?.replaced).toEqual({ id: own.id, refund: '3' })
    expect((await findEnding(chain, { ...own, release_hash: '' }, ended)).units).toBe(3n)
  })

  it('is never what a stranger did', async () => {
    const chain = chainWith(flood.slice(0, 30))
    expect(await findCreation(chain, own)).toBeUndefined()
    expect(await findEnding(chain, { ...own, release_hash: 'FF' }, ended)).toEqual({
      ...{ hash: 'FF', units: 7n, isFound: false },
    })
  })
})
