import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, Copy, LayoutDashboard, LogOut, UserRound } from 'lucide-react'
import { shorten, shortenEmail } from '../../lib/phrases.ts'
import { signOut } from '../../lib/session.ts'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Badge } from '../../ui/states.tsx'
import { t as own } from './console-texts.ts'

/** Who is signed in, in short; the whole id can be copied. */
export function AccountMenu() {
  const { address, emailAddress, userinfo } = useSession()
  const navigate = useNavigate()
  // Who came with a wallet is known by its address, who came with an e-mail by that.
  const short = emailAddress ? shortenEmail(emailAddress) : shorten(address)
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
          {emailAddress}
          {userinfo?.vip && <Badge tone="accent">{own.vip}</Badge>}
        </p>
        <p className="mt-0.5 text-xs text-muted">
          {own.accountId} <span className="font-mono">{shorten(address)}</span>
        </p>
      </div>
      <MenuSeparator />
      <MenuItem icon={<Copy aria-hidden className="size-4" />} onSelect={() => void copyText(address)}>
        {own.copyAccountId}
      </MenuItem>
      <MenuItem
        icon={<LayoutDashboard aria-hidden className="size-4" />}
        onSelect={() => void navigate({ to: '/dashboard' })}
      >
        {t.shell.dashboard}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden className="size-4" />} onSelect={() => void signOut()}>
        {t.shell.signOut}
      </MenuItem>
    </Menu>
  )
}
