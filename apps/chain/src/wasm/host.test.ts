import { describe, expect, it } from 'vitest'
import { createContracts, RULES, saveInstance, toJson } from '../state/contracts.ts'
import { createGasMeter, ENDLESS } from '../state/gas.ts'
import { HostFailure, Refusal, refusalOf } from '../state/refusal.ts'
import { createStore } from '../state/store.ts'
import { wasmCode } from './code.ts'
import { constant, ENDLESS_CALLS, moduleOf, RESULT, region, returning, UNREACHABLE } from './sample-module.fixture.ts'
import { addressOf } from './sample-tenants.fixture.ts'

const EMPTY = { messages: [], attributes: [], events: [], data: null }
const SETTINGS = { chainId: 'test-1', prefix: 'tide', denom: 'utide', minGasPrice: '0', blockSeconds: 6 }
const address = addressOf('contract')

/** Runs a contract on a chain that has no other. */
function execute(bytes: Uint8Array) {
  const contracts = createContracts(SETTINGS, new Map([[1, wasmCode('test', bytes)]]))
  const store = createStore()
  saveInstance(store, { address, code: 1, creator: address, admin: '', label: '', height: 0 })
  const call = { sender: address, contract: address, message: toJson({}), funds: [] }
  return contracts.execute(store, { height: 1, time: 0, rules: RULES }, createGasMeter(ENDLESS), call)
}

it('runs a contract', () => {
  const { data } = execute(moduleOf(constant(RESULT), returning(JSON.stringify({ ok: EMPTY }))))
  expect(data).toEqual(new Uint8Array())
})

describe('refused is a contract', () => {
  const message = { msg: { wasm: { execute: { contract_addr: address, msg: '', funds: [] } } } }
  it.each<[what: string, bytes: Uint8Array]>([
    ['that returns no region', moduleOf(constant(0))],
    ['that returns a region outside of its memory', moduleOf(constant(65_530))],
    ['that returns a region far outside of its memory', moduleOf(constant(0x7fff_ffff))],
    ['that returns a region before its memory', moduleOf(constant(-1))],
    ['whose region ends outside of its memory', moduleOf(constant(RESULT), { [RESULT]: region(200, 65_536, 65_536) })],
    ['whose region is the largest', moduleOf(constant(RESULT), { [RESULT]: region(0, 0xffff_ffff, 0xffff_ffff) })],
    ['that gives its host no space', moduleOf(constant(RESULT), { 1000: region(2000, 1, 0) })],
    [
      'that gives its host space outside of its memory',
      moduleOf(constant(RESULT), { 1000: region(65_536, 60_000, 0) }),
    ],
    ['that stops', moduleOf(UNREACHABLE)],
    ['that calls itself without an end', moduleOf(ENDLESS_CALLS)],
    [
      'that answers in no words',
      moduleOf(constant(RESULT), { [RESULT]: region(200, 4, 4), 200: [0xff, 0xfe, 0, 0xc3] }),
    ],
    ['that answers no JSON', moduleOf(constant(RESULT), returning('{"ok":'))],
    ['that answers nothing', moduleOf(constant(RESULT), returning('{}'))],
    [
      'that waits for a reply',
      moduleOf(
        constant(RESULT),
        returning(JSON.stringify({ ok: { ...EMPTY, messages: [{ ...message, reply_on: 'error' }] } })),
      ),
    ],
    [
      'that calls itself through its host',
      moduleOf(
        constant(RESULT),
        returning(JSON.stringify({ ok: { ...EMPTY, messages: [{ ...message, reply_on: 'never' }] } })),
      ),
    ],
  ])('%s', (_, bytes) => {
    expect(() => execute(bytes)).toThrow(Refusal)
  })
})

it('a contract that this machine cannot run is not refused: the chain stops, and replays its blocks elsewhere', () => {
  const bytes = moduleOf(constant(RESULT), returning(JSON.stringify({ ok: EMPTY })), 'unknown_to_this_host')
  expect(() => execute(bytes)).toThrow(HostFailure)
  expect(() => refusalOf(new HostFailure())).toThrow(HostFailure)
})
