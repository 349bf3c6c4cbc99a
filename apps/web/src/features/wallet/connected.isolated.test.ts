import { afterEach, describe, expect, test, vi } from 'vitest'
import { connect, disconnect, linkedWallet, useConnected } from './connected.ts'
import { WalletError } from './errors.ts'
import type { CosmosWallet } from './wallet.ts'

const LINKED = 'tide1bound00000000000000000000000000dddddd'
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

describe('linkedWallet', () => {
  test('returns the connected wallet, ignoring the case of its address', async () => {
    const { made } = wallet({ address: LINKED })
    await connect(made)
    expect(await linkedWallet(LINKED.toUpperCase())).toBe(made)
  })

  test('follows account changes of the wallet', async () => {
    const accounts = { address: LINKED }
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

describe('linkedWallet rejects', () => {
  test('if no wallet is connected', async () => {
    expect((await refusal(linkedWallet(LINKED))).problem).toBe('walletMissing')
  })

  test('an account that changed without an event, with both addresses', async () => {
    const accounts = { address: LINKED }
    await connect(wallet(accounts).made)
    accounts.address = OTHER
    const error = await refusal(linkedWallet(LINKED))
    expect(error.problem).toBe('mismatch')
    expect(error.addresses).toEqual({ linked: LINKED, connected: OTHER })
  })

  test.each(['en', 'zh'])('with a message that contains both addresses (%s)', async (language) => {
    vi.resetModules()
    vi.stubGlobal('prerenderLang', language)
    const [{ walletMessage, paymentMessage }, errors] = await Promise.all([
      import('./messages.ts'),
      import('./errors.ts'),
    ])
    const error = new errors.WalletError('mismatch', undefined, { linked: LINKED, connected: OTHER })
    for (const said of [walletMessage(error), paymentMessage(error)]) {
      for (const address of [LINKED, OTHER]) {
        expect(said).toContain(address.slice(0, 8))
        expect(said).toContain(address.slice(-6))
      }
      expect(/\p{Script=Han}/u.test(said)).toBe(language === 'zh')
    }
  })
})
