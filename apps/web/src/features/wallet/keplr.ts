import type { OfflineAminoSigner } from '@cosmjs/amino'
import { toBase64 } from './bytes.ts'
import { chainInfo, chainSettings } from './chain.ts'
import { callWallet, problemOf, WalletError } from './errors.ts'
import type { Chain, CosmosWallet } from './wallet.ts'

/** The used part of Keplr's interface. */
export interface KeplrLike {
  enable: (chainId: string) => Promise<void>
  getKey: (chainId: string) => Promise<{ name: string; pubKey: Uint8Array; bech32Address: string }>
  signArbitrary: (
    chainId: string,
    signer: string,
    data: string,
  ) => Promise<{ pub_key: { value: string }; signature: string }>
  experimentalSuggestChain: (info: ReturnType<typeof chainInfo>) => Promise<void>
  getOfflineSignerOnlyAmino: (chainId: string) => OfflineAminoSigner
  defaultOptions?: { sign?: { preferNoSetFee?: boolean } }
}

interface Installed {
  id: string
  name: string
  keplr: KeplrLike
  /** Window events that signal an account change. */
  events: readonly string[]
}

/** Wraps an extension with Keplr's interface as a wallet. */
export function keplrWallet({ id, name, keplr, events }: Installed, chain: Chain): CosmosWallet {
  /** Adds the chain to a wallet that does not know it. */
  const enable = async () => {
    try {
      await keplr.enable(chain.id)
    } catch (error) {
      if (problemOf(error) !== 'unknownChain') throw error
      await keplr.experimentalSuggestChain(chainInfo(chain, await chainSettings().catch(() => undefined)))
      await keplr.enable(chain.id)
    }
  }
  return {
    kind: 'cosmos',
    id,
    name,
    connect: () =>
      callWallet(async () => {
        await enable()
        const key = await keplr.getKey(chain.id)
        if (!key.bech32Address.startsWith(`${chain.prefix}1`)) throw new WalletError('wrongPrefix')
        return { address: key.bech32Address, publicKey: Uint8Array.from(key.pubKey), name: key.name }
      }),
    visibleAddress: () => callWallet(async () => (await keplr.getKey(chain.id)).bech32Address),
    signText: (address, text) =>
      callWallet(async () => {
        const signed = await keplr.signArbitrary(chain.id, address, text)
        const publicKey = signed.pub_key.value || toBase64((await keplr.getKey(chain.id)).pubKey)
        return { signature: signed.signature, publicKey }
      }),
    offlineSigner: () =>
      callWallet(async () => {
        await enable()
        // Sign the fee that was shown, unless the user changes it in the wallet.
        keplr.defaultOptions = { ...keplr.defaultOptions, sign: { preferNoSetFee: true } }
        // Amino JSON only: hardware wallets support nothing else, and it is readable.
        return keplr.getOfflineSignerOnlyAmino(chain.id)
      }),
    onChange: (listener) => {
      for (const event of events) window.addEventListener(event, listener)
      return () => {
        for (const event of events) window.removeEventListener(event, listener)
      }
    },
  }
}

const isKeplr = (thing: unknown): thing is KeplrLike =>
  typeof thing === 'object' && thing !== null && 'enable' in thing && 'getKey' in thing && 'signArbitrary' in thing

/** Where extensions inject Keplr's interface. One that also replaces `window.keplr` is listed once. */
const places: readonly (Omit<Installed, 'keplr'> & { path: readonly string[] })[] = [
  { id: 'leap', name: 'Leap', path: ['leap'], events: ['leap_keystorechange'] },
  {
    id: 'cosmostation',
    name: 'Cosmostation',
    path: ['cosmostation', 'providers', 'keplr'],
    events: ['cosmostation_keystorechange'],
  },
  { id: 'okx', name: 'OKX', path: ['okxwallet', 'keplr'], events: ['okx_keystorechange'] },
  { id: 'keplr', name: 'Keplr', path: ['keplr'], events: [] },
]

/** Installed extensions with Keplr's interface, Keplr first. */
export function installedKeplrs(chain: Chain): CosmosWallet[] {
  const seen = new Set<unknown>()
  const found: CosmosWallet[] = []
  for (const { path, events, ...place } of places) {
    let thing: unknown = window
    for (const step of path) thing = (thing as Record<string, unknown> | undefined)?.[step]
    if (!isKeplr(thing) || seen.has(thing)) continue
    seen.add(thing)
    found.push(keplrWallet({ ...place, keplr: thing, events: ['keplr_keystorechange', ...events] }, chain))
  }
  return found.reverse()
}
