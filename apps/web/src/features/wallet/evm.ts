import { toHex, utf8 } from './bytes.ts'
import { callWallet, WalletError } from './errors.ts'
import type { EvmWallet } from './wallet.ts'

/** The used part of an EIP-1193 provider. */
export interface Provider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
  on?: (event: string, listener: (value: unknown) => void) => void
  removeListener?: (event: string, listener: (value: unknown) => void) => void
}

interface Announced {
  info: { uuid: string; name: string; icon?: string; rdns: string }
  provider: Provider
}

/** Normalizes a chain id to lower-case hex; some wallets return a number. Empty if there is none. */
const chainId = (answer: unknown): string =>
  typeof answer === 'number' ? `0x${answer.toString(16)}` : typeof answer === 'string' ? answer.toLowerCase() : ''

const addressesOf = (answer: unknown): string[] =>
  Array.isArray(answer) ? answer.filter((each) => typeof each === 'string' && /^0x[\da-f]{40}$/i.test(each)) : []

/** Wraps a provider as a wallet. */
export function evmWallet({ info, provider }: Announced): EvmWallet {
  return {
    kind: 'evm',
    id: info.rdns,
    name: info.name,
    icon: info.icon?.startsWith('data:image/') ? info.icon : undefined,
    connect: () =>
      callWallet(async () => {
        const [address] = addressesOf(await provider.request({ method: 'eth_requestAccounts' }))
        if (!address) throw new WalletError('noAccount')
        return { address }
      }),
    signText: (address, text) =>
      callWallet(async () => {
        // Hex-encoded: some wallets interpret plain text that starts with 0x as bytes.
        const params = [`0x${toHex(utf8(text))}`, address]
        return { signature: String(await provider.request({ method: 'personal_sign', params })) }
      }),
    accounts: () => callWallet(async () => addressesOf(await provider.request({ method: 'eth_accounts' }))),
    chain: () => callWallet(async () => chainId(await provider.request({ method: 'eth_chainId' }))),
    onChange: (listener) => {
      let known = ''
      const account = () => listener('account')
      // Some wallets announce their current chain on start: only a different second value is a change.
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

/** Announced providers (EIP-6963), or the legacy `window.ethereum` if there are none. */
export async function installedProviders(): Promise<EvmWallet[]> {
  if (!listening) {
    listening = true
    window.addEventListener('eip6963:announceProvider', (event) => {
      const { detail } = event as CustomEvent<unknown>
      if (isAnnounced(detail)) announced.set(detail.info.rdns, detail)
    })
  }
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  // Most announce themselves synchronously, some shortly after.
  if (announced.size === 0) await new Promise((resolve) => setTimeout(resolve, 120))
  const old = (window as { ethereum?: Provider }).ethereum
  if (announced.size === 0 && typeof old?.request === 'function') {
    return [evmWallet({ info: { uuid: '', name: 'Ethereum', rdns: 'window.ethereum' }, provider: old })]
  }
  return [...announced.values()].map(evmWallet)
}
