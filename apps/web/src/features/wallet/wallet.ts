import type { OfflineAminoSigner } from '@cosmjs/amino'

/** `cosmos`: wallets of the network's chain. `evm`: wallets with 0x addresses. */
export type WalletKind = 'cosmos' | 'evm'

/** The network's chain: id and address prefix. */
export interface Chain {
  id: string
  prefix: string
}

/** A signature of a text: 0x hex for EVM wallets, otherwise base64. */
export interface SignedText {
  signature: string
  /** 33 bytes; absent for EVM wallets, whose signature reveals the key. */
  publicKey?: string
}

interface AnyWallet {
  /** Stable between visits: our own name, or the reverse domain of EIP-6963. */
  id: string
  name: string
  /** Icon as a `data:` URL. */
  icon?: string | undefined
}

/** A wallet of the network's chain: an extension or the built-in wallet. */
export interface CosmosWallet extends AnyWallet {
  kind: 'cosmos'
  /** @throws WalletError if the user rejects or the wallet fails */
  connect: () => Promise<{ address: string; publicKey: Uint8Array; name: string }>
  /** The address that this site may already see, without prompting the user. */
  visibleAddress: () => Promise<string>
  /** Signs a text (ADR-36). */
  signText: (address: string, text: string) => Promise<SignedText>
  /** Signs transactions, for CosmJS. */
  offlineSigner: () => Promise<OfflineAminoSigner>
  /** Notifies that the account may have changed. @returns unsubscribe */
  onChange: (listener: () => void) => () => void
}

/** A wallet of EVM chains. */
export interface EvmWallet extends AnyWallet {
  kind: 'evm'
  connect: () => Promise<{ address: string }>
  /** Signs a text with `personal_sign` (EIP-191). */
  signText: (address: string, text: string) => Promise<SignedText>
  /** Accounts that this site may see, without prompting the user. */
  accounts: () => Promise<readonly string[]>
  /** The current chain id in lower-case hex, without prompting the user. */
  chain: () => Promise<string>
  /** Notifies which of the two has changed. @returns unsubscribe */
  onChange: (listener: (what: 'account' | 'chain') => void) => () => void
}

export type Wallet = CosmosWallet | EvmWallet

/** Whether two addresses are equal; case is ignored, because 0x addresses use it as a checksum. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
