import { shorten } from '../../lib/phrases.ts'
import { signOut } from '../../lib/sign-out.ts'
import { toast } from '../../ui/toast.ts'
import { findWallet } from './find.ts'
import { lastWallet, storeLastWallet } from './last-wallet.ts'
import { t } from './texts.ts'
import { sameAddress, type Wallet } from './wallet.ts'

/** The address that this site may see, without prompting the user; empty if there is none. */
const visibleAddressOf = async (wallet: Wallet): Promise<string> =>
  wallet.kind === 'evm' ? ((await wallet.accounts())[0] ?? '') : wallet.visibleAddress()

/** The address after a change event: a Cosmos wallet may have to be connected to its new account first. */
const currentAddressOf = async (wallet: Wallet): Promise<string> =>
  wallet.kind === 'evm' ? visibleAddressOf(wallet) : (await wallet.connect()).address

/** The last reported address, so that navigation within the portal does not repeat the warning. */
let reported = ''

/**
 * Watches the wallet that the session was opened with, including changes while no page was open: a change of an EVM wallet's chain
 * signs out, a change of the account shows a warning. @returns stop
 */
export function watchWallet(): () => void {
  const used = lastWallet()
  let stopped = false
  let stop = () => {}
  // The built-in wallet has one account and one chain.
  if (!used || used.id === 'built-in') return stop
  const reportAccount = (now: string) => {
    reported = now
    toast.error(
      now ? t.session.accountChanged(shorten(now, 8, 6), shorten(used.address, 8, 6)) : t.session.disconnected,
    )
  }
  const changed = async (wallet: Wallet) => {
    const now = await currentAddressOf(wallet).catch(() => '')
    if (stopped || sameAddress(now, used.address)) return
    reportAccount(now)
  }
  const leave = () => {
    toast.error(t.session.chainChanged)
    void signOut('elsewhere')
  }
  /** A wallet that shows no address may be locked, which is not a change. */
  const compare = async (wallet: Wallet) => {
    const [now, chain] = await Promise.all([
      visibleAddressOf(wallet).catch(() => ''),
      wallet.kind === 'evm' ? wallet.chain().catch(() => '') : '',
    ])
    if (stopped) return
    if (used.chain && chain && chain !== used.chain) return leave()
    if (wallet.kind === 'evm' && chain && !used.chain) storeLastWallet({ ...used, chain })
    if (now && now !== reported && !sameAddress(now, used.address)) reportAccount(now)
  }
  void findWallet(used.kind, used.id).then(
    (wallet) => {
      if (stopped || !wallet) return
      stop =
        wallet.kind === 'cosmos'
          ? wallet.onChange(() => void changed(wallet))
          : wallet.onChange((what) => (what === 'account' ? void changed(wallet) : leave()))
      void compare(wallet)
    },
    () => {},
  )
  return () => {
    stopped = true
    stop()
  }
}
