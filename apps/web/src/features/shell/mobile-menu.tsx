import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Logo } from './logo.tsx'
import { consoleLinks, helpLinks, menuLinkClass } from './menu-links.tsx'

/** All pages, on screens too small for menus at the side. */
export function MobileMenu() {
  const [open, setOpen] = useState(false)
  const signedIn = useSession((session) => session.address !== '')
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className={iconButtonClass('-mr-2 md:hidden')} aria-label={t.shell.openMenu}>
        <Menu aria-hidden className="size-5" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-shade transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 right-0 flex w-72 max-w-[85vw] flex-col border-l border-line bg-surface p-3 outline-none transition-transform duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full">
          <div className="mb-3 flex items-center justify-between pl-2">
            <Dialog.Title className="sr-only">{t.shell.mainMenu}</Dialog.Title>
            <Logo />
            <Dialog.Close className={iconButtonClass()} aria-label={t.words.close}>
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </div>
          <nav aria-label={t.shell.mainMenu} className="flex flex-col gap-0.5">
            {[...(signedIn ? consoleLinks() : []), ...helpLinks()].map(({ to, icon: Icon, title }) => (
              <Link key={to} to={to} className={menuLinkClass} onClick={() => setOpen(false)}>
                <Icon aria-hidden className="size-4.5" />
                {title}
              </Link>
            ))}
            {!signedIn && (
              <>
                <Link to="/login" className={menuLinkClass} onClick={() => setOpen(false)}>
                  {t.shell.signIn}
                </Link>
                <Link to="/login" search={{ mode: 'signup' }} className={menuLinkClass} onClick={() => setOpen(false)}>
                  {t.shell.signUp}
                </Link>
              </>
            )}
          </nav>
          <OnlineNodes />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function OnlineNodes() {
  const { data } = useQuery(query('network.onlineDevices', {}))
  if (!data) return null
  return (
    <p className="mt-auto flex items-center gap-2 px-3 py-2 text-sm text-muted">
      <span aria-hidden className="size-2 rounded-full bg-good" />
      {t.shell.online(data.online_device_num)}
    </p>
  )
}
