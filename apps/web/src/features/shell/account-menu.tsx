import { ChevronDown, UserRound } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { shorten, shortenEmail } from '../../lib/phrases.ts'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { lastWallet } from '../wallet/last-wallet.ts'
import type { AccountMenuList } from './account-menu-list.tsx'

const load = () => import('./account-menu-list.tsx')

/** Menu of the signed-in account. Its code is a quarter of what a page of the console loads, so it waits until somebody reaches for the menu. */
export function AccountMenu() {
  const { address, emailAddress, loginType } = useSession()
  const [List, setList] = useState<typeof AccountMenuList>()
  // Show the wallet address after a wallet sign-in, otherwise the e-mail address.
  const withEmail = emailAddress.includes('@')
  const wallet = (!withEmail && loginType === 3 && lastWallet()?.address) || address
  const short = withEmail ? shortenEmail(emailAddress) : shorten(wallet)
  useEffect(() => {
    if (loginType !== 3) return
    let stop = () => {}
    let unmounted = false
    void import('../wallet/watch.ts').then(
      ({ watchWallet }) => {
        if (!unmounted) stop = watchWallet()
      },
      () => {},
    )
    return () => {
      unmounted = true
      stop()
    }
  }, [loginType])
  const [openedBy, setOpenedBy] = useState<'keyboard' | 'pointer'>('pointer')
  const open = (by: typeof openedBy) => {
    setOpenedBy(by)
    void load().then(
      (loaded) => setList(() => loaded.AccountMenuList),
      () => toast.error(t.errors.chunkTitle),
    )
  }
  // A failure is reported when the menu is opened.
  const prepare = () => void load().catch(() => {})
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open('keyboard')
  }
  const label = `${t.shell.account} ${short}`
  const triggerClass = buttonClass('secondary', 'px-2.5')
  const trigger = (
    <>
      <UserRound aria-hidden className="size-4" />
      <span className="hidden font-mono text-[0.8125rem] sm:inline">{short}</span>
      <ChevronDown aria-hidden className="size-3.5 text-muted" />
    </>
  )
  if (List)
    return (
      <List
        trigger={trigger}
        triggerClass={triggerClass}
        label={label}
        withEmail={withEmail}
        wallet={wallet}
        openedBy={openedBy}
      />
    )
  return (
    <button
      type="button"
      className={triggerClass}
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      // A click without a pointer comes from the keyboard or from a screen reader.
      onClick={(event) => open(event.detail === 0 ? 'keyboard' : 'pointer')}
      onKeyDown={onKeyDown}
    >
      {trigger}
    </button>
  )
}
