import type { ShortLink } from '@tidenet/contract'
import { Ellipsis, ExternalLink, KeyRound, Pause, Pencil, Play, QrCode, RotateCcw, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { CopyIcon, copyText } from '../../ui/copy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Badge, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { isPermanent, restore, revoke, setActive } from './link-actions.ts'
import { t } from './link-texts.ts'

const LinkExtras = lazy(async () => ({ default: (await import('./link-extras.tsx')).LinkExtras }))
const LinkEdit = lazy(async () => ({ default: (await import('./link-edit.tsx')).LinkEdit }))

/** A revoked link with its terms, and a button that restores it. @param children what it opens */
export function RevokedLink({
  link,
  onRestored,
  children,
}: {
  link: ShortLink
  onRestored: () => void
  children?: ReactNode
}) {
  const [busy, setBusy] = useState(false)
  const bringBack = async () => {
    setBusy(true)
    await restore(link).then(onRestored, toast.error)
    setBusy(false)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        {children}
        {link.url && (
          <code className="truncate font-mono text-sm text-muted" title={link.url}>
            {link.url.replace(/^https?:\/\//, '')}
          </code>
        )}
        <Facts link={link} />
      </div>
      <Button
        busy={busy}
        icon={<RotateCcw aria-hidden className="size-4" />}
        aria-label={t.link.restoreOf(link.item.name || t.link.trashed)}
        onClick={() => void bringBack()}
      >
        {t.link.restore}
      </Button>
    </li>
  )
}

/** A share link: address, terms, use, and everything that its owner can do with it. @param children what it opens */
export function LinkItem({
  link,
  onRevoked,
  children,
}: {
  link: ShortLink
  /** Offers to undo it instead of a toast. */
  onRevoked?: (link: ShortLink) => void
  children?: ReactNode
}) {
  const [panel, setPanel] = useState<'extras' | 'edit'>()
  const { url, short_pass: password, state } = link
  const run = (action: Promise<unknown>) => void action.catch(toast.error)
  const toggle = (which: typeof panel) => setPanel(panel === which ? undefined : which)
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      {children}
      <div className="flex items-center gap-1">
        {url ? (
          <code className="min-w-0 flex-1 truncate font-mono text-sm" title={url}>
            {url.replace(/^https?:\/\//, '')}
          </code>
        ) : (
          <span className="min-w-0 flex-1 text-sm text-muted">{t.link.hidden}</span>
        )}
        {url && <CopyIcon text={url} label={t.link.copy} />}
        <Menu
          trigger={<Ellipsis aria-hidden className="size-5" />}
          triggerClass={iconButtonClass()}
          label={t.link.actions(link.item.name)}
        >
          {url && password && (
            <MenuItem
              icon={<KeyRound aria-hidden className="size-4" />}
              onSelect={() => void copyText(t.link.both(url, password))}
            >
              {t.link.copyBoth}
            </MenuItem>
          )}
          {url && (
            <>
              <MenuItem
                icon={<ExternalLink aria-hidden className="size-4" />}
                onSelect={() => window.open(url, '_blank', 'noreferrer')}
              >
                {t.link.open}
              </MenuItem>
              <MenuItem icon={<QrCode aria-hidden className="size-4" />} onSelect={() => toggle('extras')}>
                {t.link.share}
              </MenuItem>
            </>
          )}
          <MenuItem icon={<Pencil aria-hidden className="size-4" />} onSelect={() => toggle('edit')}>
            {t.link.edit}
          </MenuItem>
          {link.form === 'short' &&
            (state === 'off' ? (
              <MenuItem icon={<Play aria-hidden className="size-4" />} onSelect={() => run(setActive(link, true))}>
                {t.link.turnOn}
              </MenuItem>
            ) : (
              <MenuItem icon={<Pause aria-hidden className="size-4" />} onSelect={() => run(setActive(link, false))}>
                {t.link.turnOff}
              </MenuItem>
            ))}
          <MenuSeparator />
          <MenuItem
            danger
            icon={<Trash2 aria-hidden className="size-4" />}
            onSelect={() => run(revoke(link, onRevoked))}
          >
            {t.link.revoke}
          </MenuItem>
        </Menu>
      </div>
      <Facts link={link} />
      {panel && (
        <Suspense fallback={<Loading />}>
          {panel === 'extras' ? (
            <LinkExtras link={link} />
          ) : (
            <LinkEdit link={link} onClose={() => setPanel(undefined)} />
          )}
        </Suspense>
      )}
    </li>
  )
}

function Facts({ link }: { link: ShortLink }) {
  const { state, form, short_pass, expire_time, downloads, max_downloads, views, last_used_at, note, emails, upload } =
    link
  const facts = [
    link.restorable_until !== null && t.link.restorableUntil(formatDateTime(Date.parse(link.restorable_until))),
    isPermanent(expire_time) ? t.link.permanent : t.link.until(formatDateTime(expire_time * 1000)),
    views !== null && t.link.views(views),
    upload
      ? t.link.uploads(
          formatNumber(upload.files),
          formatNumber(upload.max_files),
          formatSize(upload.bytes),
          formatSize(upload.max_bytes),
        )
      : t.link.downloads(downloads, max_downloads),
    form === 'short' && (last_used_at ? t.link.used(formatDateTime(Date.parse(last_used_at))) : t.link.unused),
    note !== '' && `“${note}”`,
  ].filter((fact) => fact !== false)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      {state !== 'live' && <Badge tone="warn">{t.link.states[state]}</Badge>}
      {upload && <Badge tone="accent">{t.link.receives}</Badge>}
      {form === 'long' && <Badge>{t.link.long}</Badge>}
      {short_pass && (
        <Badge tone="accent">
          {t.link.password} <code className="font-mono">{short_pass}</code>
        </Badge>
      )}
      {emails.length > 0 && (
        <Badge tone="accent">
          <span title={emails.join(', ')}>{emails.length === 1 ? emails[0] : t.link.emails(emails.length)}</span>
        </Badge>
      )}
      <span>{facts.join(' · ')}</span>
    </div>
  )
}
