import { createHash } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'
import type { ChainTransaction } from '@tidenet/chain-client'
import { describe, expect, it } from 'vitest'
import { transfersIn } from './transfers.ts'

const addressOf = (byte: number, length = 20) => toBech32('tide', new Uint8Array(length).fill(byte))
const [token, other] = [addressOf(1, 32), addressOf(2, 32)]
const [exchange, payer, stranger] = [addressOf(3), addressOf(4), addressOf(5)]
const bytes = new Uint8Array()
const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()

const wasm = (values: Record<string, string>, type = 'wasm') => ({
  type,
  attributes: Object.entries({
    _contract_address: token,
    action: 'transfer',
    from: payer,
    to: exchange,
    amount: '5',
    ...values,
  }).map(([key, value]) => ({ key, value })),
})
const transfers = (events: ReturnType<typeof wasm>[], more: Partial<ChainTransaction> = {}) =>
  transfersIn({ hash, height: 7, code: 0, codespace: '', log: '', bytes, events, ...more }, token, exchange)

describe('the payments of a transaction', () => {
  it('are what the token contract moved to the exchange, numbered', () => {
    expect(transfers([wasm({}), wasm({ to: stranger }), wasm({ action: 'send_from', amount: '6' })])).toEqual([
      { hash, event: 0, height: 7, payer, units: 5n, memo: '' },
      { hash, event: 1, height: 7, payer, units: 6n, memo: '' },
    ])
  })

  it('have amounts beyond the safe integers', () => {
    expect(transfers([wasm({ amount: '9'.repeat(39) })])[0]?.units).toBe(BigInt('9'.repeat(39)))
  })

  it.each([
    ['events of other contracts', [wasm({ _contract_address: other })], {}],
    ['events of other modules', [wasm({}, 'transfer')], {}],
    ['other actions', [wasm({ action: 'burn' }), wasm({ action: 'increase_allowance' })], {}],
    ['transfers of the exchange to itself', [wasm({ from: exchange })], {}],
    ['amounts that are none', [wasm({ amount: '0' }), wasm({ amount: '-5' }), wasm({ amount: '5e3' })], {}],
    ['failed transactions', [wasm({})], { code: 5 }],
    ['bytes that do not have the hash', [wasm({})], { hash: '0'.repeat(64) }],
  ] as const)('are not %s', (_, events, more) => {
    expect(transfers([...events], more)).toEqual([])
  })
})
