import {
  Boxes,
  Coins,
  FolderOpen,
  HardDrive,
  KeyRound,
  LayoutDashboard,
  Link2,
  type LucideIcon,
  ShieldCheck,
  ShoppingCart,
  Upload,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { pageNames } from '../../lib/page-names.ts'
import { t } from '../../lib/texts.ts'
import { t as own } from './console-texts.ts'

export interface ConsoleLink {
  href: string
  icon: LucideIcon
  title: string
}

/** The console's pages by group, for the side menu and the mobile menu. */
export const consoleMenus = (): { title: string; links: ConsoleLink[] }[] => [
  {
    title: own.storage,
    links: [
      { href: '/dashboard', icon: LayoutDashboard, title: pageNames.dashboard },
      { href: '/fileStorage', icon: FolderOpen, title: pageNames.files },
      { href: '/upload', icon: Upload, title: pageNames.upload },
      { href: '/links', icon: Link2, title: pageNames.links },
      { href: '/key', icon: KeyRound, title: pageNames.keys },
      { href: '/webhooks', icon: Webhook, title: pageNames.webhooks },
      { href: '/teams', icon: UsersRound, title: pageNames.teams },
    ],
  },
  {
    title: own.container,
    links: [
      { href: '/testCoin', icon: Coins, title: own.claim },
      { href: '/mycenter?tab=2', icon: ShoppingCart, title: own.buy },
      { href: '/mycenter?tab=1', icon: Boxes, title: own.use },
    ],
  },
  {
    title: t.shell.account,
    links: [
      { href: '/devices', icon: HardDrive, title: pageNames.devices },
      { href: '/myAccount', icon: UserRound, title: pageNames.account },
      { href: '/security', icon: ShieldCheck, title: pageNames.security },
    ],
  },
]

export const menuLinkClass =
  'flex min-h-10 items-center gap-3 rounded-lg px-3 text-sm text-muted hover:bg-sunken hover:text-text ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent'
