import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, it } from 'vitest'
import type { Settings } from '../settings.ts'
import { addressOf } from '../wasm/sample-tenants.fixture.ts'
import { createApp } from './app.ts'
import { getOrCreateAccount, saveAccount, setBalance } from './bank.ts'
import { createContracts, RULES } from './contracts.ts'
import { MOST_GAS } from './gas.ts'
import { createStore } from './store.ts'

const SETTINGS: Settings = { chainId: 'test-1', prefix: 'tide', denom: 'utide', minGasPrice: '0', blockSeconds: 6 }

/** Of coins to oneself, without a signature: a simulation needs none. */
function transfers(count: number): Uint8Array {
  const address = addressOf('anybody')
  const amount = [{ denom: 'utide', amount: '1' }]
  const value = MsgSend.encode(MsgSend.fromPartial({ fromAddress: address, toAddress: address, amount })).finish()
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
  const body = TxBody.fromPartial({ messages: Array(count).fill(message) })
  const authInfo = AuthInfo.fromPartial({ signerInfos: [{ sequence: 0n }], fee: { gasLimit: 0n } })
  const bodyBytes = TxBody.encode(body).finish()
  const authInfoBytes = AuthInfo.encode(authInfo).finish()
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes, signatures: [new Uint8Array()] })).finish()
}

it('a simulation, which costs its sender nothing, ends at a limit', () => {
  const store = createStore()
  saveAccount(store, getOrCreateAccount(store, addressOf('anybody')))
  setBalance(store, addressOf('anybody'), 10n)
  const app = createApp(SETTINGS, createContracts(SETTINGS, new Map()))
  const simulate = (count: number) => app.simulate(store, transfers(count), { height: 1, time: 6000, rules: RULES })
  expect(simulate(2)).toMatchObject({ code: 0, log: '' })
  const refused = simulate(6000)
  expect([refused.codespace, refused.code]).toEqual(['sdk', 11])
  // Not a message more.
  expect(refused.gasUsed - MOST_GAS).toBeLessThan(10_000n)
})
