import { shorten } from '../../lib/phrases.ts'
import { signOut } from '../../lib/sign-out.ts'
import { toast } from '../../ui/toast.ts'
import { findWallet } from './find.ts'
import { t } from './texts.ts'
import { keepUsed, usedWallet } from './used.ts'
import { sameAddress, type Wallet } from './wallet.ts'

/** The address a wallet shows this site; empty when it shows none. Asks the person nothing. */
const addressShown = async (wallet: Wallet): Promise<string> =>
  wallet.kind === 'evm' ? ((await wallet.accounts())[0] ?? '') : wallet.shown()

/** The same of a wallet that has just told of a change: its new account may have to be connected first. */
const addressNow = async (wallet: Wallet): Promise<string> =>
  wallet.kind === 'evm' ? addressShown(wallet) : (await wallet.connect()).address

/** What was told since the page was loaded: pages that follow one another do not tell it again. */
let told = ''

/**
 * Follows the wallet that the session was opened with, from what it was then, also while no page was open: another network in an EVM wallet
 * signs out and says why, another account is told. Gives what ends it.
 */
export function watchWallet(): () => void {
  const used = usedWallet()
  let over = false
  let stop = () => {}
  // The wallet of this browser has one account and no network of its own.
  if (!used || used.id === 'built-in') return stop
  const tellAccount = (now: string) => {
    told = now
    toast.error(
      now ? t.session.accountChanged(shorten(now, 8, 6), shorten(used.address, 8, 6)) : t.session.disconnected,
    )
  }
  const changed = async (wallet: Wallet) => {
    const now = await addressNow(wallet).catch(() => '')
    if (over || sameAddress(now, used.address)) return
    tellAccount(now)
  }
  const leave = () => {
    toast.error(t.session.chainChanged)
    void signOut('elsewhere')
  }
  /** A wallet that shows nothing yet may be locked: that is no change. */
  const compare = async (wallet: Wallet) => {
    const [now, chain] = await Promise.all([
      addressShown(wallet).catch(() => ''),
      wallet.kind === 'evm' ? wallet.chain().catch(() => '') : '',
    ])
    if (over) return
    if (used.chain && chain && chain !== used.chain) return leave()
    if (wallet.kind === 'evm' && chain && !used.chain) keepUsed({ ...used, chain })
    if (now && now !== told && !sameAddress(now, used.address)) tellAccount(now)
  }
  void findWallet(used.kind, used.id).then(
    (wallet) => {
      if (over || !wallet) return
      stop =
        wallet.kind === 'cosmos'
          ? wallet.onChange(() => void changed(wallet))
          : wallet.onChange((what) => (what === 'account' ? void changed(wallet) : leave()))
      void compare(wallet)
    },
    () => {},
  )
  return () => {
    over = true
    stop()
  }
}
