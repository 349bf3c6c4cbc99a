import { useNavigate } from '@tanstack/react-router'
import {
  BookOpen,
  FolderPlus,
  Keyboard,
  Languages,
  LogOut,
  type LucideIcon,
  SunMoon,
  Trash2,
  Upload,
} from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { linkTo } from '../../lib/link.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { signOut } from '../../lib/sign-out.ts'
import { lang, t as shell, switchLang } from '../../lib/texts.ts'
import { chooseTheme } from '../../lib/theme.ts'
import { type Entry, entryOf, nameOf } from './entries.ts'
import { t } from './texts.ts'

/** A page in the command palette. */
export interface PalettePage {
  href: string
  icon: LucideIcon
  title: string
}

export const GROUPS = ['pages', 'actions', 'files'] as const

export interface Choice {
  id: string
  group: (typeof GROUPS)[number]
  title: string
  note?: string | undefined
  icon: LucideIcon | Entry
  act: () => void
}

const DEBOUNCE_MS = 150
const MAX_FILES = 8

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().trim()

/** The choices for a text: pages and actions at once, files when the search has answered. */
export function useChoices(text: string, pages: readonly PalettePage[]): { choices: Choice[]; isSearching: boolean } {
  const fixed = useFixed(pages)
  const { files, isSearching } = useFiles(text)
  // Not debounced: Enter may follow at once, and must not run the first choice of an earlier text.
  const filter = normalize(text)
  const choices = [...fixed.filter(({ title }) => filter === '' || normalize(title).includes(filter)), ...files]
  return { choices, isSearching }
}

/** Pages and actions, the same for every text. */
function useFixed(pages: readonly PalettePage[]): Choice[] {
  const navigate = useNavigate()
  return useMemo(() => {
    const go = (href: string) => () => void navigate(linkTo(href))
    const places = [...pages, { href: '/developer', icon: BookOpen, title: shell.menus.docs }]
    const dark = document.documentElement.dataset.theme === 'dark'
    const actions: Omit<Choice, 'group'>[] = [
      { id: 'upload', title: t.palette.uploadFiles, icon: Upload, act: go('/upload') },
      { id: 'folder', title: t.palette.newFolder, icon: FolderPlus, act: go('/fileStorage?do=folder') },
      { id: 'trash', title: t.palette.trash, icon: Trash2, act: go('/fileStorage?view=trash') },
      { id: 'theme', title: t.palette.theme, icon: SunMoon, act: () => chooseTheme(dark ? 'light' : 'dark') },
      {
        id: 'language',
        title: t.palette.language,
        icon: Languages,
        act: () => switchLang(lang === 'cn' ? 'en' : 'cn'),
      },
      { id: 'help', title: t.palette.help, icon: Keyboard, act: go('/fileStorage?do=help') },
      { id: 'leave', title: t.palette.signOut, icon: LogOut, act: () => void signOut() },
    ]
    return [
      ...places.map(({ href, icon, title }): Choice => ({ id: href, group: 'pages', title, icon, act: go(href) })),
      ...actions.map((action): Choice => ({ ...action, group: 'actions' })),
    ]
  }, [navigate, pages])
}

/** Files and folders with matching names, in all folders. */
function useFiles(text: string): { files: Choice[]; isSearching: boolean } {
  const navigate = useNavigate()
  const searched = useDebounced(text.trim(), DEBOUNCE_MS)
  const found = useQuery({
    ...query('folders.search', { q: searched, page_size: MAX_FILES }),
    enabled: searched !== '',
    placeholderData: (before) => before,
  })
  const files = useMemo((): Choice[] => {
    if (searched === '') return []
    return (found.data?.list ?? []).slice(0, MAX_FILES).flatMap((item): Choice[] => {
      const entry = entryOf(item)
      if (!entry) return []
      const home = entry.path?.at(-1)
      const search =
        entry.kind === 'folder' ? { folder: entry.group.ID } : { q: nameOf(entry), ...(home && { folder: home.ID }) }
      return [
        {
          id: entry.key,
          group: 'files',
          title: nameOf(entry),
          note: t.view.in([t.files.root, ...(entry.path ?? []).map(({ Name }) => Name)].join(' / ')),
          icon: entry,
          act: () => void navigate({ to: '/fileStorage', search }),
        },
      ]
    })
  }, [found.data, searched, navigate])
  return { files, isSearching: found.isFetching }
}

/** A value that has not changed for some time. */
function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
