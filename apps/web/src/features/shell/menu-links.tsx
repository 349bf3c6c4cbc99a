import { BookOpen, FolderOpen, KeyRound, LayoutDashboard } from 'lucide-react'
import { t } from '../../lib/texts.ts'

/** The console's pages, for the side menu and the menu of small screens. */
export const consoleLinks = () =>
  [
    { to: '/dashboard', icon: LayoutDashboard, title: t.shell.dashboard },
    { to: '/fileStorage', icon: FolderOpen, title: t.shell.files },
    { to: '/key', icon: KeyRound, title: t.shell.keys },
  ] as const

export const helpLinks = () => [{ to: '/docs/api', icon: BookOpen, title: t.shell.api }] as const

export const menuLinkClass =
  'flex min-h-10 items-center gap-3 rounded-lg px-3 text-sm text-muted hover:bg-sunken hover:text-text ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent'
