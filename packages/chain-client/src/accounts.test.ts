import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount,
  PermanentLockedAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { describe, expect, it, test } from 'vitest'
import { createChainPort } from './port.ts'

const ADDRESS = 'tide1qypqxpq9qcrsszgszyfpx9q4zct3sxfqehg4zp'
const OTHER = 'tide1qyqszqgpqyqszqgpqyqszqgpqyqszqgp5x8cxm'

/** As nodes answer: a base account in the first field of what each type adds. */
const base = BaseAccount.fromPartial({
  address: ADDRESS,
  pubKey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: PubKey.encode({ key: new Uint8Array(33) }).finish() },
  accountNumber: 118n,
  sequence: 7n,
})
const vesting = BaseVestingAccount.fromPartial({
  baseAccount: base,
  originalVesting: [{ denom: 'utide', amount: '1000' }],
  endTime: 1_900_000_000n,
})
const period = { length: 60n, amount: [{ denom: 'utide', amount: '1000' }] }

const encoded: Readonly<Record<string, Uint8Array>> = {
  'auth.v1beta1.BaseAccount': BaseAccount.encode(base).finish(),
  'auth.v1beta1.ModuleAccount': ModuleAccount.encode(
    ModuleAccount.fromPartial({ baseAccount: base, name: 'mint', permissions: ['minter'] }),
  ).finish(),
  'vesting.v1beta1.BaseVestingAccount': BaseVestingAccount.encode(vesting).finish(),
  'vesting.v1beta1.ContinuousVestingAccount': ContinuousVestingAccount.encode({
    baseVestingAccount: vesting,
    startTime: 1_800_000_000n,
  }).finish(),
  'vesting.v1beta1.DelayedVestingAccount': DelayedVestingAccount.encode({ baseVestingAccount: vesting }).finish(),
  'vesting.v1beta1.PeriodicVestingAccount': PeriodicVestingAccount.encode({
    baseVestingAccount: vesting,
    startTime: 1_800_000_000n,
    vestingPeriods: [period, period],
  }).finish(),
  'vesting.v1beta1.PermanentLockedAccount': PermanentLockedAccount.encode({ baseVestingAccount: vesting }).finish(),
}

/** A port whose node answers every query of an account with this one. */
const portOf = (typeUrl: string, value: Uint8Array) =>
  createChainPort({
    urls: ['http://node'],
    chainId: 'test-1',
    fetch: async (_url, init) => {
      const { method } = JSON.parse(String(init?.body)) as { method: string }
      const account = QueryAccountResponse.encode({ account: { typeUrl, value } }).finish()
      return Response.json({
        result:
          method === 'status'
            ? { node_info: { network: 'test-1' }, sync_info: { catching_up: false } }
            : { response: { code: 0, codespace: '', log: '', value: Buffer.from(account).toString('base64') } },
      })
    },
  })

describe('an account', () => {
  test.each(Object.entries(encoded))('of the type %s has its number and sequence', async (type, value) => {
    expect(await portOf(`/cosmos.${type}`, value).account(ADDRESS)).toEqual({ number: 118, sequence: 7 })
  })

  it('that was never used has the number and sequence 0', async () => {
    const value = BaseAccount.encode(BaseAccount.fromPartial({ address: ADDRESS })).finish()
    expect(await portOf('/cosmos.auth.v1beta1.BaseAccount', value).account(ADDRESS)).toEqual({ number: 0, sequence: 0 })
  })

  it.each([
    ['of another address', BaseAccount.encode({ ...base, address: OTHER }).finish()],
    ['without an address', BaseAccount.encode({ ...base, address: '' }).finish()],
    ['that is empty', new Uint8Array()],
    ['that is not a message', Uint8Array.of(10, 200, 1)],
  ])('%s is refused: what is signed for it would be refused, too', async (_what, value) => {
    await expect(portOf('/other.chain.Account', value).account(ADDRESS)).rejects.toThrow()
  })
})
