import { Dialog } from '@base-ui/react/dialog'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { linkTo } from '../../lib/link.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { HelpMenu } from './console-help.tsx'
import { t as own } from './console-texts.ts'
import { consoleMenus, menuLinkClass } from './menu-links.tsx'
import { hrefOf, siteMenus } from './menus.ts'

/** Menu of all pages for small screens. */
export function MobileMenu({ onClose }: { onClose: () => void }) {
  const signedIn = useSession((session) => session.address !== '')
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-80 max-w-[88vw] flex-col overflow-y-auto border-l border-line bg-surface p-3 outline-none">
          <div className="mb-3 flex items-center justify-between pl-2">
            <Dialog.Title className="sr-only">{t.shell.mainMenu}</Dialog.Title>
            <Logo />
            <Dialog.Close className={iconButtonClass()} aria-label={t.words.close}>
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </div>
          <nav aria-label={t.shell.mainMenu} className="flex flex-col gap-4">
            {signedIn &&
              consoleMenus().map(({ title, links }) => (
                <Group key={title} title={title}>
                  {links.map(({ href, icon: Icon, title }) => (
                    <Link key={href} {...linkTo(href)} className={menuLinkClass} onClick={onClose}>
                      <Icon aria-hidden className="size-4.5" />
                      {title}
                    </Link>
                  ))}
                </Group>
              ))}
            {!signedIn && (
              <Group title={t.shell.account}>
                <Link to="/login" className={menuLinkClass} onClick={onClose}>
                  {t.shell.signIn}
                </Link>
                <Link to="/login" search={{ mode: 'signup' }} className={menuLinkClass} onClick={onClose}>
                  {t.shell.signUp}
                </Link>
              </Group>
            )}
            {siteMenus().map(({ title, entries }) => (
              <Group key={title} title={title}>
                {entries.map((entry) => (
                  <Link key={hrefOf(entry)} {...linkTo(hrefOf(entry))} className={menuLinkClass} onClick={onClose}>
                    {entry.title}
                  </Link>
                ))}
              </Group>
            ))}
            <Group title={t.footer.help}>
              <HelpMenu onLeave={onClose} />
              <Link to="/docs/api" className={menuLinkClass} onClick={onClose}>
                {t.shell.api}
              </Link>
              <Link to="/download" className={menuLinkClass} onClick={onClose}>
                {t.menus.download}
              </Link>
            </Group>
          </nav>
          <OnlineNodes />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="px-3 pb-1 text-xs font-medium text-muted">{title}</p>
      {children}
    </div>
  )
}

function OnlineNodes() {
  const { data } = useQuery(query('network.onlineDevices', {}))
  if (!data) return null
  return (
    <p className="mt-auto flex items-center gap-2 px-3 pt-4 pb-1 text-sm text-muted">
      <span aria-hidden className="size-2 rounded-full bg-good" />
      {own.online(data.online_device_num)}
    </p>
  )
}
