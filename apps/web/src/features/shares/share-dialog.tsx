import { Link } from '@tanstack/react-router'
import type { ShortLink } from '@tidenet/contract'
import { SHARE_DOWNLOADS } from '@tidenet/contract/constants'
import { ChevronDown, Link2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { classes } from '../../ui/classes.ts'
import { copyText } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { create, expiryAfter, restore } from './link-actions.ts'
import {
  areGood,
  emailsOf,
  type FieldValues,
  LinkFields,
  newUploads,
  noValues,
  UploadFields,
  uploadLimits,
} from './link-fields.tsx'
import { LinkItem } from './link-item.tsx'
import { t } from './link-texts.ts'

const EncryptedNote = lazy(async () => ({ default: (await import('../vault/share-note.tsx')).ShareNote }))

export interface ShareItem {
  /** A CID or folder number. */
  id: string
  /** The entry of the CID. */
  assetId?: number
  name: string
  /** Visitors get ciphertext. */
  encrypted?: boolean
}

/** More links than anybody makes of one file; the page of all links lists the rest. */
const SHOWN = 50
/** Days; 0: permanent. */
const VALIDITIES = [3, 7, 30, 0] as const

/** Creates links of a file or folder, and shows, changes and revokes them. */
export function ShareDialog({ item, onClose }: { item: ShareItem; onClose: () => void }) {
  const named = { cid: item.id, ...(item.assetId !== undefined && { asset_id: item.assetId }) }
  const vip = useSession((session) => session.userinfo?.vip)
  const links = useQuery({
    ...query('shortLinks.list', { ...named, page: 1, page_size: SHOWN }),
    staleTime: 0,
    gcTime: 0,
  })
  // The dialog keeps the focus, so keyboards do not reach a toast: the dialog itself offers to undo a revocation.
  const [revoked, setRevoked] = useState<ShortLink[]>([])
  return (
    <Dialog open wide onClose={onClose} title={t.dialog.title(item.name)}>
      <div className="flex flex-col gap-6 pb-2">
        <NewLink named={named} receives={/^\d+$/.test(item.id) && !item.encrypted} />
        <section aria-labelledby="share-links" className="flex flex-col gap-2">
          <div className="flex flex-wrap items-baseline justify-between gap-2">
            <h3 id="share-links" className="font-medium">
              {t.dialog.links}
            </h3>
            <Link to="/links" className="text-sm text-accent hover:underline">
              {t.dialog.all}
            </Link>
          </div>
          {revoked.map((link) => (
            <Revoked
              key={link.id}
              link={link}
              onRestored={() => setRevoked((before) => before.filter(({ id }) => id !== link.id))}
            />
          ))}
          {links.isPending ? (
            <Loading />
          ) : links.isError ? (
            <LoadFailed title={t.dialog.failed} error={links.error} onRetry={() => void links.refetch()} />
          ) : links.data.list.length === 0 ? (
            <p className="text-sm text-muted">{t.dialog.none}</p>
          ) : (
            <Card>
              <ul className="divide-y divide-line">
                {links.data.list.map((link) => (
                  <LinkItem key={link.id} link={link} onRevoked={(gone) => setRevoked((before) => [...before, gone])} />
                ))}
              </ul>
            </Card>
          )}
        </section>
        {item.encrypted && (
          <Suspense>
            <EncryptedNote />
          </Suspense>
        )}
        {!vip && <p className="text-sm text-muted">{t.dialog.limit(SHARE_DOWNLOADS)}</p>}
      </div>
    </Dialog>
  )
}

function Revoked({ link, onRestored }: { link: ShortLink; onRestored: () => void }) {
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    try {
      await restore(link)
      onRestored()
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <Notice live>
      <span className="flex flex-wrap items-center justify-between gap-2">
        {t.link.revoked}
        <Button busy={busy} onClick={() => void undo()}>
          {t.link.undo}
        </Button>
      </span>
    </Notice>
  )
}

/** One click creates a link and copies it. */
function NewLink({
  named,
  receives,
}: {
  named: { cid: string; asset_id?: number }
  /** Whether it can receive uploads. */
  receives: boolean
}) {
  const [more, setMore] = useState(false)
  const [values, setValues] = useState<FieldValues>(noValues)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState<number>()
  const [done, setDone] = useState('')
  const make = async (days: number) => {
    setChecked(true)
    setDone('')
    if (!areGood(values)) return setMore(true)
    setBusy(days)
    try {
      const { password, downloads, note } = values
      const { url } = await create({
        ...named,
        short_pass: password,
        max_downloads: Number(downloads.trim() || 0),
        note: note.trim(),
        emails: emailsOf(values),
        ...uploadLimits(values),
        expire_time: expiryAfter(days),
      })
      setValues(noValues)
      setChecked(false)
      setMore(false)
      setDone((await copyText(url)) ? t.dialog.created : t.dialog.createdOnly)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <section aria-labelledby="new-link" className="flex flex-col gap-3">
      <div>
        <h3 id="new-link" className="font-medium">
          {t.dialog.create}
        </h3>
        <p className="text-sm text-muted">{t.dialog.createText}</p>
      </div>
      {receives && (
        <RadioCards
          label={t.dialog.purpose}
          value={values.uploads ? 'upload' : 'open'}
          onChange={(purpose) => setValues({ ...values, uploads: purpose === 'upload' ? newUploads : undefined })}
          columns="sm:grid-cols-2"
          options={[
            { value: 'open', title: t.dialog.forOpening, hint: t.dialog.forOpeningText },
            { value: 'upload', title: t.dialog.forUploads, hint: t.dialog.forUploadsText },
          ]}
        />
      )}
      {values.uploads && (
        <UploadFields values={values} uploads={values.uploads} onChange={setValues} checked={checked} />
      )}
      <button
        type="button"
        aria-expanded={more}
        className="inline-flex min-h-8 items-center gap-1.5 self-start text-sm text-accent hover:underline"
        onClick={() => setMore(!more)}
      >
        {t.dialog.options}
        <ChevronDown aria-hidden className={classes('size-3.5 transition-transform', more && 'rotate-180')} />
      </button>
      {more && <LinkFields values={values} onChange={setValues} checked={checked} />}
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {VALIDITIES.map((days) => (
          <Button
            key={days}
            look={days === 7 ? 'primary' : 'secondary'}
            icon={<Link2 aria-hidden className="size-4" />}
            busy={busy === days}
            disabled={busy !== undefined}
            onClick={() => void make(days)}
          >
            {days === 0 ? t.dialog.permanent : t.dialog.days(days)}
          </Button>
        ))}
      </div>
      <p role="status" className={done ? 'text-sm text-good' : 'sr-only'}>
        {done}
      </p>
    </section>
  )
}
