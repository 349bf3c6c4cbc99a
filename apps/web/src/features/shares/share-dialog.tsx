import { SHARE_DOWNLOADS, SHARE_PERMANENT } from '@tidenet/contract/constants'
import { SHARE } from '@tidenet/contract/storage-enums'
import { lazy, Suspense, useState } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { useStorageAccount } from '../../lib/team.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton, CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { ShareForm, type ShareTerms } from './share-form.tsx'
import { t } from './texts.ts'

const EncryptedNote = lazy(async () => ({ default: (await import('../vault/share-note.tsx')).ShareNote }))

export interface ShareItem {
  /** A CID or folder number. */
  id: string
  name: string
  shared: boolean
  isFolder: boolean
  /** Visitors get ciphertext. */
  encrypted?: boolean
}

interface Link {
  id: string
  url: string
  password: string
  /** Unix seconds. */
  expires: number
}

/** The share link of an item, valid or not; null if there is none. */
async function findLink(cid: string, signal: AbortSignal): Promise<Link | null> {
  try {
    const { link } = await api('shares.info', { cid }, { signal })
    return { id: link.id, url: absolute(link.short_link), password: link.short_pass, expires: link.expire_time }
  } catch (error) {
    if (error instanceof ApiError && error.err === 1000) return null
    throw error
  }
}

const absolute = (url: string) => new URL(url, location.origin).href

/** Creates, shows, changes and revokes the share link of a file or folder. */
export function ShareDialog({ item, onClose }: { item: ShareItem; onClose: () => void }) {
  const uid = useStorageAccount()
  const vip = useSession((session) => session.userinfo?.vip)
  const [shared, setShared] = useState(item.shared)
  const [busy, setBusy] = useState(false)
  const found = useQuery({
    queryKey: ['shares.info', { cid: item.id }],
    queryFn: ({ signal }) => findLink(item.id, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const link = shared ? found.data : null

  const run = async (change: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await change()
      await found.refetch()
      refresh('folders.contents', 'folders.item')
      toast.success(done)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const save = ({ expires, password }: ShareTerms) => {
    const known = found.data
    return run(
      async () => {
        if (known) await api('shares.update', { id: known.id, short_pass: password, expire_at: expires })
        else await api('shares.create', { username: uid, cid: item.id, expire_time: expires, short_pass: password })
        if (!shared) await api('shares.setStatus', { user_id: uid, cid: item.id, status: SHARE.on })
        setShared(true)
      },
      link ? t.dialog.updated : t.dialog.created,
    )
  }
  const stop = (id: string) =>
    run(async () => {
      await api('shares.revoke', { id })
      setShared(false)
    }, t.dialog.stopped)

  return (
    <Dialog
      open
      onClose={onClose}
      title={t.dialog.title(item.name)}
      actions={
        <>
          {link && (
            <Button look="quietDanger" className="mr-auto" disabled={busy} onClick={() => void stop(link.id)}>
              {t.dialog.stop}
            </Button>
          )}
          <Button look="primary" type="submit" form="share-form" busy={busy} disabled={!found.isSuccess}>
            {link ? t.dialog.update : t.dialog.create}
          </Button>
        </>
      }
    >
      {found.isPending ? (
        <Loading />
      ) : found.isError ? (
        <LoadFailed title={shell.errors.pageTitle} error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div className="flex flex-col gap-5">
          {link && <Ready link={link} />}
          <ShareForm
            key={link ? `${link.id} ${link.expires} ${link.password}` : 'new'}
            initial={{ expires: link?.expires ?? SHARE_PERMANENT, password: link?.password ?? '' }}
            onSubmit={(terms) => void save(terms)}
          />
          {item.encrypted && (
            <Suspense>
              <EncryptedNote />
            </Suspense>
          )}
          {!vip && <p className="text-sm text-muted">{t.dialog.limit(SHARE_DOWNLOADS)}</p>}
        </div>
      )}
    </Dialog>
  )
}

/** The link with copy buttons. */
function Ready({ link }: { link: Link }) {
  return (
    <Notice tone="good">
      <p className="mb-2 font-medium">
        {isPermanent(link.expires) ? t.dialog.neverExpires : t.dialog.expires(formatDateTime(link.expires * 1000))}
      </p>
      <div className="text-text">
        <CopyField text={link.url} label={t.dialog.copyLink} />
        {link.password && (
          <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
            <span className="text-sm">
              {t.dialog.password}: <code className="font-mono">{link.password}</code>
            </span>
            <CopyButton text={t.dialog.both(link.url, link.password)}>{t.dialog.copyBoth}</CopyButton>
          </div>
        )}
      </div>
    </Notice>
  )
}

/** Whether a link never expires, which is stored as an expiry far in the future. @param seconds unix */
export const isPermanent = (seconds: number): boolean => seconds === 0 || seconds >= SHARE_PERMANENT
