import type { OfflineAminoSigner } from '@cosmjs/amino'

/** `cosmos`: of the network's own chain. `evm`: addresses that begin with 0x. */
export type WalletKind = 'cosmos' | 'evm'

/** The chain that wallets are used on: its id, and what its addresses begin with. */
export interface Chain {
  id: string
  prefix: string
}

/** Proof that a wallet signed a text: hex with 0x for an EVM wallet, base64 otherwise. */
export interface SignedText {
  signature: string
  /** Of 33 bytes; an EVM wallet gives none, its signature names the key. */
  publicKey?: string
}

interface AnyWallet {
  /** Stays the same between visits: a window's name for it, or the reverse domain of EIP-6963. */
  id: string
  name: string
  /** A picture as a `data:` address; undefined where a wallet brings none. */
  icon?: string | undefined
}

/** A wallet of the network's chain: an extension's, or the one of this browser. */
export interface CosmosWallet extends AnyWallet {
  kind: 'cosmos'
  /** @throws WalletError when the person refuses, or the wallet cannot */
  connect: () => Promise<{ address: string; publicKey: Uint8Array; name: string }>
  /** The address that it shows this site already: the person is not asked to connect it once more. */
  shown: () => Promise<string>
  /** Signs a text as ADR-36 says. */
  signText: (address: string, text: string) => Promise<SignedText>
  /** Signs transactions, for CosmJS. */
  offlineSigner: () => Promise<OfflineAminoSigner>
  /** Tells that another account may be chosen now. Gives what ends it. */
  onChange: (listener: () => void) => () => void
}

/** A wallet of EVM chains. */
export interface EvmWallet extends AnyWallet {
  kind: 'evm'
  connect: () => Promise<{ address: string }>
  /** Signs a text as `personal_sign` says (EIP-191). */
  signText: (address: string, text: string) => Promise<SignedText>
  /** Accounts that this site may see, without asking the person. */
  accounts: () => Promise<readonly string[]>
  /** The network that it is on, without asking the person: hex in small letters. */
  chain: () => Promise<string>
  /** Tells which of the two has changed. Gives what ends it. */
  onChange: (listener: (what: 'account' | 'chain') => void) => () => void
}

export type Wallet = CosmosWallet | EvmWallet

/** Whether two addresses are one: 0x ones differ by the case of their letters alone. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
