import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount,
  PermanentLockedAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { describe, expect, it } from 'vitest'
import { ChainRefusal } from './chain-port.ts'
import { baseAccountIn } from './state.ts'

const baseAccount = BaseAccount.fromPartial({ address: 'tide1abc', accountNumber: 812n, sequence: 9n })
const baseVestingAccount = BaseVestingAccount.fromPartial({
  baseAccount,
  originalVesting: [{ denom: 'utide', amount: '1000' }],
  endTime: 1_900_000_000n,
})

describe('the number and the sequence of an account', () => {
  it.each([
    ['/cosmos.auth.v1beta1.BaseAccount', BaseAccount.encode(baseAccount)],
    ['/cosmos.auth.v1beta1.ModuleAccount', ModuleAccount.encode(ModuleAccount.fromPartial({ baseAccount, name: 'a' }))],
    ['/cosmos.vesting.v1beta1.BaseVestingAccount', BaseVestingAccount.encode(baseVestingAccount)],
    [
      '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
      ContinuousVestingAccount.encode({ baseVestingAccount, startTime: 1n }),
    ],
    ['/cosmos.vesting.v1beta1.DelayedVestingAccount', DelayedVestingAccount.encode({ baseVestingAccount })],
    [
      '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
      PeriodicVestingAccount.encode({ baseVestingAccount, startTime: 1n, vestingPeriods: [] }),
    ],
    ['/cosmos.vesting.v1beta1.PermanentLockedAccount', PermanentLockedAccount.encode({ baseVestingAccount })],
    // Its second field is the hash of its code.
    ['/ethermint.types.v1.EthAccount', ModuleAccount.encode(ModuleAccount.fromPartial({ baseAccount, name: '0x00' }))],
  ])('are found in a %s', (typeUrl, encoded) => {
    expect(baseAccountIn({ typeUrl, value: encoded.finish() })).toMatchObject({ accountNumber: 812n, sequence: 9n })
  })

  it('are not guessed in a type that is not known, or in rubbish', () => {
    expect(() => baseAccountIn({ typeUrl: '/other.Account', value: BaseAccount.encode(baseAccount).finish() })).toThrow(
      ChainRefusal,
    )
    expect(() =>
      baseAccountIn({ typeUrl: '/cosmos.auth.v1beta1.ModuleAccount', value: new Uint8Array([10, 250, 1]) }),
    ).toThrow()
  })
})
