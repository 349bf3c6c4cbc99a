import { readFileSync } from 'node:fs'
import { toUtf8 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import { loadContract, type Outside } from './module.ts'

const wasm = readFileSync(new URL('../../wasm/token.wasm', import.meta.url))
const json = (value: unknown) => toUtf8(JSON.stringify(value))
const environment = json({
  block: { height: 1, time: '1000000000', chain_id: 'test-1' },
  transaction: null,
  contract: { address: 'token' },
})
const sender = (name: string) => json({ sender: name, funds: [] })

/** Storage of one contract. */
function outsideOf(entries = new Map<string, string>()): Outside {
  return {
    get: (key) => entries.get(key),
    set: (key, value) => void entries.set(key, value),
    delete: (key) => void entries.delete(key),
    range: () => [],
    validateAddress: () => {},
    canonicalAddress: toUtf8,
    humanAddress: (bytes) => Buffer.from(bytes).toString(),
    query: () => '{}',
  }
}

/**
 * A contract that counts its calls in its memory:
 * (module (memory (export "memory") 1)
 *   (func (export "interface_version_8"))
 *   (func (export "allocate") (param i32) (result i32)
 *     (i32.store (i32.const 48) (i32.const 1024)) (i32.store offset=4 (i32.const 48) (local.get 0)) (i32.const 48))
 *   (func (export "deallocate") (param i32))
 *   (func (export "query") (param i32 i32) (result i32)
 *     (i32.store8 (i32.const 39) (i32.add (i32.load8_u (i32.const 39)) (i32.const 1))) (i32.const 16))
 *   (data (i32.const 16) "\20\00\00\00\0a\00\00\00\0a\00\00\00") (data (i32.const 32) "{\22ok\22:\220\22}"))
 */
const COUNTER =
  'AGFzbQEAAAABEwRgAABgAX8Bf2ABfwBgAn9/AX8DBQQAAQIDBQMBAAEHQAUGbWVtb3J5AgATaW50ZXJmYWNlX3ZlcnNpb25fOAAACGFsbG9jYXRlAAEKZGVhbGxvY2' +
  'F0ZQACBXF1ZXJ5AAMKLQQCAAsTAEEwQYAINgIAQTAgADYCBEEwCwIACxEAQSdBJy0AAEEBajoAAEEQCwshAgBBEAsMIAAAAAoAAAAKAAAAAEEgCwp7Im9rIjoiMCJ9'

const TOKEN = {
  name: 'Coin',
  symbol: 'COIN',
  decimals: 2,
  initial_balances: [{ address: 'first', amount: '1000' }],
}

function createToken(contract = loadContract(wasm)) {
  const outside = outsideOf()
  contract.call(outside, 'instantiate', [environment, sender('first'), json(TOKEN)])
  return {
    send: (message: object, from = 'first', on = outside) =>
      contract.call(on, 'execute', [environment, sender(from), json(message)]),
    ask: (address: string) => contract.call(outside, 'query', [environment, json({ balance: { address } })]),
  }
}

const answer = (balance: string) => Buffer.from(JSON.stringify({ balance })).toString('base64')

it('answers each call as an instance of its own would, after calls that succeed, fail or stop', () => {
  const together = createToken()
  let sent = 0
  for (let round = 0; round < 50; round++) {
    const call = (round % 5) as 0 | 1 | 2 | 3 | 4
    if (call === 0) together.send({ transfer: { recipient: 'second', amount: '1' } })
    // Longer than all memory that is kept for calls.
    if (call === 3) together.send({ send: { contract: 'second', amount: '1', msg: 'abcd'.repeat(300_000) } })
    if (call === 0 || call === 3) sent++
    if (call === 1)
      expect(() => together.send({ transfer: { recipient: 'second', amount: '1' } }, 'nobody')).toThrow('Overflow')
    if (call === 2) expect(() => together.send({ unknown: {} })).toThrow('unknown')
    if (call === 4) {
      const broken: Outside = {
        ...outsideOf(),
        get() {
          throw new Error('out of gas')
        },
      }
      expect(() => together.send({ transfer: { recipient: 'second', amount: '1' } }, 'first', broken)).toThrow(
        'out of gas',
      )
    }
    expect(together.ask('first')).toBe(answer(String(1000 - sent)))
  }
  expect(together.ask('second')).toBe(answer('20'))
})

it('keeps nothing of a call in memory', () => {
  const contract = loadContract(Buffer.from(COUNTER, 'base64'))
  for (let round = 0; round < 5; round++) expect(contract.call(outsideOf(), 'query', [environment, json({})])).toBe('1')
})

it('runs calls within calls apart', () => {
  const contract = loadContract(wasm)
  const inner = createToken(contract)
  const outer = createToken(contract)
  const entries = new Map<string, string>()
  let asked = 0
  const nested: Outside = {
    ...outsideOf(entries),
    get(key) {
      asked++
      inner.send({ transfer: { recipient: 'second', amount: '1' } })
      return entries.get(key)
    },
  }
  contract.call(nested, 'instantiate', [environment, sender('first'), json(TOKEN)])
  outer.send({ transfer: { recipient: 'second', amount: '7' } }, 'first', nested)
  expect(asked).toBeGreaterThan(0)
  expect(inner.ask('second')).toBe(answer(String(asked)))
  expect(outer.ask('second')).toBe(answer('0'))
})
