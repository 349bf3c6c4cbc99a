import { create } from 'zustand'
import { WalletError } from './errors.ts'
import { type CosmosWallet, sameAddress, type Wallet } from './wallet.ts'

interface Connected {
  /** The connected Cosmos wallet; undefined until one is connected. */
  wallet: CosmosWallet | undefined
  address: string
}

/** The connected wallet, until the page is reloaded. */
export const useConnected = create<Connected>()(() => ({ wallet: undefined, address: '' }))

let stop: (() => void) | undefined

/** Connects a wallet and follows its account changes. @throws WalletError */
export async function connect(wallet: CosmosWallet): Promise<string> {
  const { address } = await wallet.connect()
  keepConnected(wallet, address)
  return address
}

/** A wallet that has just given its address, for example to sign in, stays connected: nobody has to choose it again to pay. */
export function keepConnected(wallet: Wallet, address: string): void {
  if (wallet.kind !== 'cosmos') return
  stop?.()
  useConnected.setState({ wallet, address })
  stop = wallet.onChange(() => {
    wallet.connect().then(
      (account) => useConnected.setState({ address: account.address }),
      () => disconnect(),
    )
  })
}

export function disconnect(): void {
  stop?.()
  stop = undefined
  useConnected.setState({ wallet: undefined, address: '' })
}

/**
 * Returns the connected wallet if its account is the linked one.
 * @throws WalletError `walletMissing` if none is connected, `mismatch` with both addresses
 */
export async function linkedWallet(linked: string): Promise<CosmosWallet> {
  const { wallet } = useConnected.getState()
  if (!wallet) throw new WalletError('walletMissing')
  const { address } = await wallet.connect()
  useConnected.setState({ address })
  if (!sameAddress(address, linked)) {
    throw new WalletError('mismatch', undefined, { linked, connected: address })
  }
  return wallet
}
