import { toHex, utf8 } from './bytes.ts'
import { asking, WalletError } from './errors.ts'
import type { EvmWallet } from './wallet.ts'

/** What is used of a provider (EIP-1193). */
export interface Provider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
  on?: (event: string, listener: (value: unknown) => void) => void
  removeListener?: (event: string, listener: (value: unknown) => void) => void
}

interface Announced {
  info: { uuid: string; name: string; icon?: string; rdns: string }
  provider: Provider
}

/** Hex in small letters, as most give it; some give a number. Empty: none. */
const chainId = (answer: unknown): string =>
  typeof answer === 'number' ? `0x${answer.toString(16)}` : typeof answer === 'string' ? answer.toLowerCase() : ''

const addressesOf = (answer: unknown): string[] =>
  Array.isArray(answer) ? answer.filter((each) => typeof each === 'string' && /^0x[\da-f]{40}$/i.test(each)) : []

/** Makes a provider one wallet like any other. */
export function evmWallet({ info, provider }: Announced): EvmWallet {
  return {
    kind: 'evm',
    id: info.rdns,
    name: info.name,
    icon: info.icon?.startsWith('data:image/') ? info.icon : undefined,
    connect: () =>
      asking(async () => {
        const [address] = addressesOf(await provider.request({ method: 'eth_requestAccounts' }))
        if (!address) throw new WalletError('noAccount')
        return { address }
      }),
    signText: (address, text) =>
      asking(async () => {
        // Hex of the bytes: some wallets read a plain text that begins with 0x as bytes.
        const params = [`0x${toHex(utf8(text))}`, address]
        return { signature: String(await provider.request({ method: 'personal_sign', params })) }
      }),
    accounts: () => asking(async () => addressesOf(await provider.request({ method: 'eth_accounts' }))),
    chain: () => asking(async () => chainId(await provider.request({ method: 'eth_chainId' }))),
    onChange: (listener) => {
      let known = ''
      const account = () => listener('account')
      // Some tell the chain they are on when they wake up: what is heard first is knowledge, only another one is a change.
      const chain = (answer: unknown) => {
        const next = chainId(answer)
        const changed = known !== '' && known !== next
        known = next
        if (changed) listener('chain')
      }
      void provider.request({ method: 'eth_chainId' }).then(
        (id) => {
          known ||= chainId(id)
        },
        () => {},
      )
      provider.on?.('accountsChanged', account)
      provider.on?.('chainChanged', chain)
      return () => {
        provider.removeListener?.('accountsChanged', account)
        provider.removeListener?.('chainChanged', chain)
      }
    },
  }
}

const isAnnounced = (detail: unknown): detail is Announced => {
  const { info, provider } = (detail ?? {}) as Partial<Announced>
  return Boolean(info?.rdns && info.name && typeof provider?.request === 'function')
}

const announced = new Map<string, Announced>()
let listening = false

/** Providers that have announced themselves (EIP-6963), and the one of old where none has. */
export async function installedProviders(): Promise<EvmWallet[]> {
  if (!listening) {
    listening = true
    window.addEventListener('eip6963:announceProvider', (event) => {
      const { detail } = event as CustomEvent<unknown>
      if (isAnnounced(detail)) announced.set(detail.info.rdns, detail)
    })
  }
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  // They answer at once, or after a moment when they sit behind a bridge of their own.
  if (announced.size === 0) await new Promise((resolve) => setTimeout(resolve, 120))
  const old = (window as { ethereum?: Provider }).ethereum
  if (announced.size === 0 && typeof old?.request === 'function') {
    return [evmWallet({ info: { uuid: '', name: 'Ethereum', rdns: 'window.ethereum' }, provider: old })]
  }
  return [...announced.values()].map(evmWallet)
}
