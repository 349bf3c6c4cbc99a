import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LastWallet } from './last-wallet.ts'
import type { CosmosWallet, EvmWallet, Wallet } from './wallet.ts'

const MINE = `0x${'a1'.repeat(20)}`
const OTHER = `0x${'b2'.repeat(20)}`

let storage: Map<string, string>
/** Shown warnings, and the number of sign-outs. */
let told: string[]
let left: number
let wallet: Wallet | undefined

beforeEach(() => {
  vi.resetModules()
  storage = new Map()
  told = []
  left = 0
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  })
  vi.doMock('../../ui/toast.ts', () => ({ toast: { error: (text: string) => told.push(text) } }))
  vi.doMock('../../lib/sign-out.ts', () => ({ signOut: async () => void left++ }))
  vi.doMock('./find.ts', () => ({ findWallet: async () => wallet }))
})
afterEach(() => {
  vi.doUnmock('../../ui/toast.ts')
  vi.doUnmock('../../lib/sign-out.ts')
  vi.doUnmock('./find.ts')
  vi.unstubAllGlobals()
})

function evm(state: { accounts: string[]; chain: string }) {
  let listener: (what: 'account' | 'chain') => void = () => {}
  wallet = {
    kind: 'evm',
    id: 'one',
    name: 'One',
    accounts: async () => state.accounts,
    chain: async () => state.chain,
    onChange: (heard: typeof listener) => {
      listener = heard
      return () => {
        listener = () => {}
      }
    },
  } as unknown as EvmWallet
  return { state, emit: (what: 'account' | 'chain') => listener(what) }
}
/** Number of connection prompts. */
let prompts: number
const cosmos = (visibleAddress: () => Promise<string>) => {
  prompts = 0
  const connect = async () => {
    prompts++
    return { address: await visibleAddress() }
  }
  wallet = {
    kind: 'cosmos',
    id: 'one',
    name: 'One',
    connect,
    visibleAddress,
    onChange: () => () => {},
  } as unknown as CosmosWallet
}
const signedInWith = (used: Partial<LastWallet>) =>
  storage.set('tidenet.wallet-used', JSON.stringify({ kind: 'evm', id: 'one', address: MINE, ...used }))
/** Loads a page and waits for pending work. */
async function load() {
  const { watchWallet } = await import('./watch.ts')
  const stop = watchWallet()
  await new Promise((resolve) => setTimeout(resolve))
  return { stop, again: watchWallet }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('changes while no page was open', () => {
  test('does not warn without a change', async () => {
    signedInWith({ chain: '0x1' })
    evm({ accounts: [MINE.toUpperCase().replace('0X', '0x')], chain: '0x1' })
    await load()
    expect([told, left]).toEqual([[], 0])
  })

  test('warns once about another account and keeps the session', async () => {
    signedInWith({ chain: '0x1' })
    evm({ accounts: [OTHER], chain: '0x1' })
    const { stop, again } = await load()
    stop()
    again()
    await settled()
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(OTHER.slice(0, 8))
    expect(told[0]).toContain(MINE.slice(0, 8))
    expect(left).toBe(0)
  })

  test('signs out after a change of the chain', async () => {
    signedInWith({ chain: '0x1' })
    evm({ accounts: [MINE], chain: '0xa' })
    await load()
    expect([told.length, left]).toEqual([1, 1])
  })

  test('warns about another account of a Cosmos wallet', async () => {
    signedInWith({ kind: 'cosmos', address: 'tide1mine0000000000' })
    cosmos(async () => 'tide1other000000000')
    await load()
    expect(told).toHaveLength(1)
    expect(left).toBe(0)
    // Loading a page must not open a prompt.
    expect(prompts).toBe(0)
  })

  test('stores an unknown chain and compares with it the next time', async () => {
    signedInWith({})
    const { state } = evm({ accounts: [MINE], chain: '0x1' })
    await load()
    expect([told, left]).toEqual([[], 0])
    vi.resetModules()
    state.chain = '0xa'
    await load()
    expect(left).toBe(1)
  })
})

describe('changes while a page is open', () => {
  test('warns about each account change and signs out after a change of the chain', async () => {
    signedInWith({ chain: '0x1' })
    const { state, emit } = evm({ accounts: [MINE], chain: '0x1' })
    await load()
    state.accounts = [OTHER]
    emit('account')
    await settled()
    expect(told).toHaveLength(1)
    state.accounts = []
    emit('account')
    await settled()
    expect(told).toHaveLength(2)
    emit('chain')
    expect(left).toBe(1)
  })
})

describe('no change is reported', () => {
  test.each([
    ['for a locked wallet', () => evm({ accounts: [], chain: '' })],
    ['for a wallet that does not answer', () => cosmos(() => Promise.reject(new Error('locked')))],
    [
      'for a wallet that is gone',
      () => {
        wallet = undefined
      },
    ],
  ])('%s', async (_, make) => {
    signedInWith({ chain: '0x1' })
    make()
    await load()
    expect([told, left]).toEqual([[], 0])
  })

  test('after the page was left', async () => {
    signedInWith({ chain: '0x1' })
    const { state, emit } = evm({ accounts: [MINE], chain: '0x1' })
    const { stop } = await load()
    stop()
    state.accounts = [OTHER]
    emit('account')
    emit('chain')
    await settled()
    expect([told, left]).toEqual([[], 0])
  })
})
