import { describe, expect, test } from 'vitest'
import { evmWallet, type Provider } from './evm.ts'

const ADDRESS = `0x${'aB'.repeat(20)}`

/** A wallet with scripted answers; a function delays its answer. */
function wallet(answers: Record<string, unknown> = {}) {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider: Provider = {
    request: async ({ method }) => (typeof answers[method] === 'function' ? answers[method]() : answers[method]),
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener)
    },
  }
  const made = evmWallet({ info: { uuid: '', name: 'Lighthouse', rdns: 'example.lighthouse' }, provider })
  const heard: string[] = []
  const emit = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  return { made, heard, emit, stop: made.onChange((what) => heard.push(what)) }
}
/** Waits until pending answers are processed. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('evmWallet', () => {
  test('reports a change of the chain', async () => {
    const { heard, emit } = wallet({ eth_chainId: '0x1' })
    await settled()
    emit('chainChanged', '0x1')
    expect(heard).toEqual([])
    emit('chainChanged', '0xA')
    emit('chainChanged', '0xa')
    expect(heard).toEqual(['chain'])
  })

  test('does not report the first chain event as a change', async () => {
    let answer: (id: string) => void = () => {}
    const asked = new Promise<string>((resolve) => {
      answer = resolve
    })
    const { heard, emit } = wallet({ eth_chainId: () => asked })
    emit('chainChanged', '0xa')
    expect(heard).toEqual([])
    // Requested before the event, answered after it: the event is newer.
    answer('0x1')
    await settled()
    emit('chainChanged', '0xa')
    expect(heard).toEqual([])
    emit('chainChanged', '0x1')
    expect(heard).toEqual(['chain'])
  })

  test('uses chain events if the chain request fails', async () => {
    const { heard, emit } = wallet({ eth_chainId: () => Promise.reject(new Error('no')) })
    await settled()
    emit('chainChanged', '0x1')
    emit('chainChanged', '0xa')
    expect(heard).toEqual(['chain'])
  })

  test('normalizes chain ids and filters accounts', async () => {
    expect(await wallet({ eth_chainId: '0xA4B1' }).made.chain()).toBe('0xa4b1')
    expect(await wallet({ eth_chainId: 42161 }).made.chain()).toBe('0xa4b1')
    expect(await wallet({ eth_accounts: [ADDRESS, 'tide1x', 7] }).made.accounts()).toEqual([ADDRESS])
  })

  test('does not notify after unsubscribing', async () => {
    const { heard, emit, stop } = wallet({ eth_chainId: '0x1' })
    await settled()
    stop()
    emit('chainChanged', '0xa')
    emit('accountsChanged', [])
    expect(heard).toEqual([])
  })
})
