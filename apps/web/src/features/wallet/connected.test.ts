import { afterEach, describe, expect, test, vi } from 'vitest'
import { boundWallet, connect, disconnect, useConnected } from './connected.ts'
import { WalletError } from './errors.ts'
import type { CosmosWallet } from './wallet.ts'

const BOUND = 'tide1bound00000000000000000000000000dddddd'
const OTHER = 'tide1other00000000000000000000000000eeeeee'

afterEach(() => {
  disconnect()
  vi.unstubAllGlobals()
})

function wallet(accounts: { address: string }) {
  let listener = () => {}
  const made = {
    kind: 'cosmos',
    id: 'one',
    name: 'One',
    connect: async () => {
      if (accounts.address === '') throw new WalletError('locked')
      return { address: accounts.address, publicKey: new Uint8Array(33), name: 'Harbour' }
    },
    onChange: (heard: () => void) => {
      listener = heard
      return () => {
        listener = () => {}
      }
    },
  } as unknown as CosmosWallet
  return { made, change: () => listener() }
}
const refusal = (promise: Promise<unknown>): Promise<WalletError> =>
  promise.then(
    () => expect.fail('was not refused'),
    (error) => error as WalletError,
  )
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('the wallet to pay with', () => {
  test('is the connected one, in whatever letters its address is written', async () => {
    const { made } = wallet({ address: BOUND })
    await connect(made)
    expect(await boundWallet(BOUND.toUpperCase())).toBe(made)
  })

  test('is followed to the account that it is on', async () => {
    const accounts = { address: BOUND }
    const { made, change } = wallet(accounts)
    await connect(made)
    accounts.address = OTHER
    change()
    await settled()
    expect(useConnected.getState().address).toBe(OTHER)
    accounts.address = ''
    change()
    await settled()
    expect(useConnected.getState().wallet).toBeUndefined()
  })
})

describe('refused', () => {
  test('when none is connected', async () => {
    expect((await refusal(boundWallet(BOUND))).problem).toBe('walletMissing')
  })

  test('when the account was changed without a word, with both addresses', async () => {
    const accounts = { address: BOUND }
    await connect(wallet(accounts).made)
    accounts.address = OTHER
    const error = await refusal(boundWallet(BOUND))
    expect(error.problem).toBe('mismatch')
    expect(error.addresses).toEqual({ bound: BOUND, connected: OTHER })
  })

  test.each(['en', 'zh'])('and both are told (%s)', async (language) => {
    vi.resetModules()
    vi.stubGlobal('prerenderLang', language)
    const [{ walletMessage, paymentMessage }, errors] = await Promise.all([import('./said.ts'), import('./errors.ts')])
    const error = new errors.WalletError('mismatch', undefined, { bound: BOUND, connected: OTHER })
    for (const said of [walletMessage(error), paymentMessage(error)]) {
      for (const address of [BOUND, OTHER]) {
        expect(said).toContain(address.slice(0, 8))
        expect(said).toContain(address.slice(-6))
      }
      expect(/\p{Script=Han}/u.test(said)).toBe(language === 'zh')
    }
  })
})
