import type { OfflineAminoSigner } from '@cosmjs/amino'
import { toBase64 } from './bytes.ts'
import { chainInfo, chainSettings } from './chain.ts'
import { asking, problemOf, WalletError } from './errors.ts'
import type { Chain, CosmosWallet } from './wallet.ts'

/** What is used of an extension with Keplr's interface. */
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
  /** Events of the window by which it tells that another account was chosen. */
  events: readonly string[]
}

/** Makes an extension with Keplr's interface one wallet like any other. */
export function keplrWallet({ id, name, keplr, events }: Installed, chain: Chain): CosmosWallet {
  /** A wallet that does not know the chain is told about it, once. */
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
      asking(async () => {
        await enable()
        const key = await keplr.getKey(chain.id)
        if (!key.bech32Address.startsWith(`${chain.prefix}1`)) throw new WalletError('wrongPrefix')
        return { address: key.bech32Address, publicKey: Uint8Array.from(key.pubKey), name: key.name }
      }),
    shown: () => asking(async () => (await keplr.getKey(chain.id)).bech32Address),
    signText: (address, text) =>
      asking(async () => {
        const signed = await keplr.signArbitrary(chain.id, address, text)
        const publicKey = signed.pub_key.value || toBase64((await keplr.getKey(chain.id)).pubKey)
        return { signature: signed.signature, publicKey }
      }),
    offlineSigner: () =>
      asking(async () => {
        await enable()
        // The fee that people were shown is the one that they sign, unless they change it in the wallet.
        keplr.defaultOptions = { ...keplr.defaultOptions, sign: { preferNoSetFee: true } }
        // The order of fields alone: hardware wallets sign nothing else, and people can read it.
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

/** Where extensions with Keplr's interface put themselves; one that takes Keplr's place as well is listed once. */
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

/** The extensions of this browser that have Keplr's interface, Keplr first. */
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
