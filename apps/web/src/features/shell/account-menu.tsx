import { useNavigate } from '@tanstack/react-router'
import { isAgentRole } from '@tidenet/contract/roles'
import { ChevronDown, Copy, LayoutDashboard, LogOut, ServerCog, UserRound, Wallet } from 'lucide-react'
import { useEffect } from 'react'
import { pageNames } from '../../lib/page-names.ts'
import { shorten, shortenEmail } from '../../lib/phrases.ts'
import { useSession } from '../../lib/session-store.ts'
import { signOut } from '../../lib/sign-out.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Badge } from '../../ui/states.tsx'
import { lastWallet } from '../wallet/last-wallet.ts'
import { t as own } from './console-texts.ts'

/** Menu of the signed-in account. */
export function AccountMenu() {
  const { address, emailAddress, userinfo, loginType } = useSession()
  const navigate = useNavigate()
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
  return (
    <Menu
      triggerClass={buttonClass('secondary', 'px-2.5')}
      label={`${t.shell.account} ${short}`}
      trigger={
        <>
          <UserRound aria-hidden className="size-4" />
          <span className="hidden font-mono text-[0.8125rem] sm:inline">{short}</span>
          <ChevronDown aria-hidden className="size-3.5 text-muted" />
        </>
      }
    >
      <div className="max-w-72 px-3 py-2 text-sm">
        <p className="flex items-center gap-2 font-medium wrap-anywhere">
          <span translate="no" className={withEmail ? undefined : 'font-mono'}>
            {withEmail ? emailAddress : shorten(wallet)}
          </span>
          {userinfo?.vip && <Badge tone="accent">{userinfo.role === 'enterprise' ? own.enterprise : own.vip}</Badge>}
        </p>
        <p className="mt-0.5 text-xs text-muted">
          {own.accountId} <span className="font-mono">{shorten(address)}</span>
        </p>
      </div>
      <MenuSeparator />
      <MenuItem icon={<Copy aria-hidden className="size-4" />} onSelect={() => void copyText(address)}>
        {own.copyAccountId}
      </MenuItem>
      {!withEmail && wallet !== address && (
        <MenuItem icon={<Wallet aria-hidden className="size-4" />} onSelect={() => void copyText(wallet)}>
          {own.copyAddress}
        </MenuItem>
      )}
      <MenuItem
        icon={<LayoutDashboard aria-hidden className="size-4" />}
        onSelect={() => void navigate({ to: '/dashboard' })}
      >
        {t.shell.dashboard}
      </MenuItem>
      {isAgentRole(userinfo?.role) && (
        <MenuItem
          icon={<ServerCog aria-hidden className="size-4" />}
          onSelect={() => void navigate({ to: '/admin', search: {} })}
        >
          {pageNames.admin}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden className="size-4" />} onSelect={() => void signOut()}>
        {t.shell.signOut}
      </MenuItem>
    </Menu>
  )
}
