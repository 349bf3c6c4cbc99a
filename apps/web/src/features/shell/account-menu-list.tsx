import { useNavigate } from '@tanstack/react-router'
import { isAgentRole } from '@tidenet/contract/roles'
import { Copy, LayoutDashboard, LogOut, ServerCog, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { pageNames } from '../../lib/page-names.ts'
import { shorten } from '../../lib/phrases.ts'
import { useSession } from '../../lib/session-store.ts'
import { signOut } from '../../lib/sign-out.ts'
import { t } from '../../lib/texts.ts'
import { copyText } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Badge } from '../../ui/states.tsx'
import { t as own } from './console-texts.ts'

interface Props {
  trigger: ReactNode
  triggerClass: string
  label: string
  withEmail: boolean
  /** The address of the wallet; of the account, if it has none. */
  wallet: string
  openedBy: 'keyboard' | 'pointer'
}

/** The menu of the signed-in account with its button; open from the start. */
export function AccountMenuList({ trigger, triggerClass, label, withEmail, wallet, openedBy }: Props) {
  const { address, emailAddress, userinfo } = useSession()
  const navigate = useNavigate()
  return (
    <Menu trigger={trigger} triggerClass={triggerClass} label={label} openedBy={openedBy}>
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
