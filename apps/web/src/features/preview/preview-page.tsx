import { Link, useSearch } from '@tanstack/react-router'
import { Download as DownloadIcon, FileQuestion, Info, Lock } from 'lucide-react'
import { type FormEvent, type ReactNode, useCallback, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import type { PreviewSearch } from '../../routes/public.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { Closed, closedBy } from '../shares/closed.tsx'
import { FileIcon, kindOf } from '../shares/file-icon.tsx'
import { ShareGate } from '../shares/share-gate.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { addDownload, type DownloadWish } from '../transfers/downloads.ts'
import { previewKind } from './kinds.ts'
import { OriginNote } from './origin-note.tsx'
import { type Source, useAddresses } from './source.ts'
import { t } from './texts.ts'
import { type Origin, Viewer } from './viewer.tsx'

/** One file to be looked at: shared, one's own, or left without an account when the address names no owner. */
export function PreviewPage() {
  const search = useSearch({ from: '/site/preview' })
  const { address, group } = search
  const cid = search.cid === undefined ? undefined : String(search.cid)
  const areas = search.area_id?.split(',').filter(Boolean) ?? []
  if (!cid)
    return (
      <Framed>
        <Card>
          <Empty icon={<FileQuestion aria-hidden className="size-6" />} title={t.missing}>
            {t.missingText}
          </Empty>
        </Card>
      </Framed>
    )
  if (!address) return <PreviewOf source={{ kind: 'temp', cid }} search={search} />
  return (
    <ShareGate cid={group ? String(group) : cid} owner={address} around={(inside) => <Page>{inside}</Page>}>
      {({ ticket }) => (
        <PreviewOf
          source={{ kind: 'open', cid, owner: address, ticket, folder: group, areas }}
          search={{ ...search, address }}
        />
      )}
    </ShareGate>
  )
}

function Framed({ name, children }: { name?: string; children: ReactNode }) {
  const title = usePageTitle(name ? t.title(name) : undefined)
  return (
    <Page>
      {!name && <h1 className="sr-only">{title}</h1>}
      {children}
    </Page>
  )
}

function PreviewOf({ source, search }: { source: Source; search: PreviewSearch }) {
  const info = useAddresses(source)
  const [origin, setOrigin] = useState<Origin>()
  const [passphrase, setPassphrase] = useState<string>()
  const [wrong, setWrong] = useState(false)
  const [forced, setForced] = useState(false)
  const again = useCallback(() => {
    setPassphrase(undefined)
    setWrong(true)
  }, [])
  if (info.isPending)
    return (
      <Framed>
        <Loading />
      </Framed>
    )
  if (info.isError) {
    const closed = closedBy(info.error)
    return (
      <Page>
        {closed ? (
          <Closed state={closed} onRetry={() => void info.refetch()} />
        ) : (
          <LoadFailed title={t.failed} error={info.error} onRetry={() => void info.refetch()} />
        )}
      </Page>
    )
  }
  const { size, encrypted, asset_type } = info.data
  const name = info.data.file_name || search.name || source.cid
  const folder = asset_type === 'folder'
  const kind = previewKind(name)
  const locked = encrypted && passphrase === undefined
  return (
    <Framed name={name}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <span className="hidden size-11 shrink-0 sm:flex items-center justify-center rounded-xl bg-accent-soft text-accent">
            <FileIcon name={name} folder={folder} className="size-5" />
          </span>
          <div className="min-w-0 grow basis-full sm:basis-0">
            <h1 className="text-xl leading-7 font-semibold wrap-anywhere">{name}</h1>
            <p className="text-muted">
              {kindOf(name, folder)} · {formatSize(size, 2)}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <BackLink search={search} name={name} />
            <Button
              look="primary"
              icon={<DownloadIcon aria-hidden className="size-4" />}
              onClick={() => addDownload(wishOf(source, { name, size, encrypted, passphrase, folder }))}
            >
              {t.download}
            </Button>
          </div>
        </div>
        {!folder && !locked && (kind !== 'none' || forced) && <OriginNote origin={origin} size={size} />}
        <Card className="h-[70vh] min-h-96 overflow-hidden">
          {folder ? (
            <Empty icon={<FileIcon name={name} folder className="size-6" />} title={t.folder}>
              {t.folderText}
            </Empty>
          ) : locked ? (
            <Unlock wrong={wrong} onUnlock={setPassphrase} />
          ) : kind === 'none' && !forced ? (
            <Empty icon={<FileIcon name={name} folder={false} className="size-6" />} title={t.none}>
              <p>{t.noneText}</p>
              {size <= 4 * 1024 * 1024 && (
                <Button className="mt-4" onClick={() => setForced(true)}>
                  {t.asText}
                </Button>
              )}
            </Empty>
          ) : (
            <Viewer
              source={source}
              name={name}
              size={size}
              kind={kind}
              passphrase={passphrase}
              onOrigin={setOrigin}
              onWrongKey={again}
            />
          )}
        </Card>
      </div>
    </Framed>
  )
}

function BackLink({ search: { cid, address, area_id, group }, name }: { search: PreviewSearch; name: string }) {
  const inside = (
    <>
      <Info aria-hidden className="size-4" />
      {t.back}
    </>
  )
  if (!address)
    return (
      <Link
        to="/homeupload"
        search={{ cid: cid === undefined ? undefined : String(cid), name }}
        className={buttonClass('secondary')}
      >
        {inside}
      </Link>
    )
  return (
    <Link to="/distributionstatus" search={{ cid, address, area_id, group }} className={buttonClass('secondary')}>
      {inside}
    </Link>
  )
}

function Unlock({ wrong, onUnlock }: { wrong: boolean; onUnlock: (passphrase: string) => void }) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text !== '') onUnlock(text)
  }
  return (
    <form className="mx-auto flex max-w-md flex-col gap-4 p-8" onSubmit={submit}>
      <Lock aria-hidden className="size-7 text-accent" />
      <div>
        <h2 className="text-lg font-semibold">{t.encrypted}</h2>
        <p className="text-muted">{t.encryptedText}</p>
      </div>
      <Field label={t.passphrase} error={wrong ? t.failed : undefined}>
        <PasswordInput autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button look="primary" type="submit" disabled={text === ''} className="self-start">
        {t.decrypt}
      </Button>
    </form>
  )
}

function wishOf(
  source: Source,
  file: { name: string; size: number; encrypted: boolean; passphrase: string | undefined; folder: boolean },
): DownloadWish {
  const { passphrase, folder, ...rest } = file
  const wish: DownloadWish = {
    cid: source.cid,
    assetType: folder ? 'folder' : 'file',
    ...rest,
    ...(passphrase && { passphrase }),
  }
  if (source.kind === 'temp') return { ...wish, temporary: true }
  return {
    ...wish,
    shared: {
      userId: source.owner,
      ...(source.ticket && { ticket: source.ticket }),
      ...(source.folder !== undefined && { groupId: source.folder }),
      ...(source.areas.length > 0 && { areas: [...source.areas] }),
    },
  }
}
