import { create } from 'zustand'
import { WalletError } from './errors.ts'
import { type CosmosWallet, sameAddress } from './wallet.ts'

interface Connected {
  /** The wallet of the network's chain that this page uses; undefined until one was connected. */
  wallet: CosmosWallet | undefined
  address: string
}

/** Which wallet pages use, until they are loaded again. */
export const useConnected = create<Connected>()(() => ({ wallet: undefined, address: '' }))

let stop: (() => void) | undefined

/** Connects a wallet for the pages that need one, and follows which account it is on. @throws WalletError */
export async function connect(wallet: CosmosWallet): Promise<string> {
  const { address } = await wallet.connect()
  stop?.()
  useConnected.setState({ wallet, address })
  stop = wallet.onChange(() => {
    wallet.connect().then(
      (account) => useConnected.setState({ address: account.address }),
      () => disconnect(),
    )
  })
  return address
}

export function disconnect(): void {
  stop?.()
  stop = undefined
  useConnected.setState({ wallet: undefined, address: '' })
}

/**
 * The wallet to pay with: the connected one, on the account that is bound.
 * @throws WalletError `walletMissing` when none is connected, `mismatch` with both addresses
 */
export async function boundWallet(bound: string): Promise<CosmosWallet> {
  const { wallet } = useConnected.getState()
  if (!wallet) throw new WalletError('walletMissing')
  const { address } = await wallet.connect()
  useConnected.setState({ address })
  if (!sameAddress(address, bound)) {
    throw new WalletError('mismatch', undefined, { bound, connected: address })
  }
  return wallet
}
