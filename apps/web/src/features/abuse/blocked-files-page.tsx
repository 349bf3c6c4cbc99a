import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { BlockedFile } from '@tidenet/contract'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { inputClass } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Badge, Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { TEXT_MAX } from './report-checks.ts'
import { t } from './texts.ts'

/** Own files that the operators blocked, with objections and answers. */
export function BlockedFilesPage() {
  const title = usePageTitle()
  const rows = usePreferences((preferences) => preferences.rows)
  const { page = 1 } = useSearch({ from: '/console/blockedFiles' })
  const navigate = useNavigate()
  const files = useQuery({ ...query('abuse.blockedFiles', { page, page_size: rows }), ...paged })
  const { list = [], total = 0 } = files.data ?? {}
  return (
    <div className="mx-auto max-w-5xl">
      <PageTitle title={title} intro={t.blockedIntro} />
      {files.isPending ? (
        <Loading />
      ) : files.isError ? (
        <LoadFailed title={t.failed} error={files.error} onRetry={() => void files.refetch()} />
      ) : total === 0 ? (
        <Card className="p-6">
          <p>{t.none}</p>
          <Link to="/fileStorage" className="mt-2 inline-block text-accent underline">
            {t.toFiles}
          </Link>
        </Card>
      ) : (
        <Card>
          <ul className="divide-y divide-line">
            {list.map((file) => (
              <BlockedFileRow key={file.cid} file={file} />
            ))}
          </ul>
          {total > rows && (
            <div className="border-t border-line px-5 py-3">
              <Pager
                page={page}
                total={total}
                onPage={(to) => void navigate({ to: '/blockedFiles', search: to > 1 ? { page: to } : {} })}
              />
            </div>
          )}
        </Card>
      )}
    </div>
  )
}

function BlockedFileRow({ file }: { file: BlockedFile }) {
  const [open, setOpen] = useState(false)
  const { name, cid, category, blocked_at, objection, objected_at, answered_at, answer } = file
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
            <bdi translate="no">{name}</bdi>
            <Badge tone="warn">{t.categories[category]}</Badge>
          </p>
          <p className="text-sm text-muted tabular-nums">{t.blockedAt(formatDateTime(blocked_at))}</p>
          <p className="flex items-center gap-1 font-mono text-xs text-muted wrap-anywhere" translate="no">
            {cid}
            <CopyIcon text={cid} label="CID" />
          </p>
        </div>
        {!answered_at && (
          <Button onClick={() => setOpen(true)}>
            {objected_at ? t.change : t.object}
            <span className="sr-only">: {name}</span>
          </Button>
        )}
      </div>
      {objected_at && <Said title={t.objected(formatDateTime(objected_at))} text={objection} />}
      {answered_at ? (
        <Said title={t.answered(formatDateTime(answered_at))} text={answer} />
      ) : (
        objected_at && <p className="text-sm text-muted">{t.waiting}</p>
      )}
      {open && <ObjectDialog file={file} onClose={() => setOpen(false)} />}
    </li>
  )
}

const Said = ({ title, text }: { title: string; text: string }) => (
  <div className="text-sm">
    <p className="text-muted">{title}</p>
    <p className="whitespace-pre-wrap wrap-anywhere">
      <bdi>{text}</bdi>
    </p>
  </div>
)

function ObjectDialog({ file: { cid, name, objection }, onClose }: { file: BlockedFile; onClose: () => void }) {
  const [text, setText] = useState(objection)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return setProblem(t.problems.words)
    setBusy(true)
    try {
      await api('abuse.object', { cid, text: text.trim() })
      refresh('abuse.blockedFiles')
      toast.success(t.objectionSent)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      persistent
      form
      title={t.objectTo(name)}
      description={t.objectText}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button type="submit" form="objection" look="primary" busy={busy}>
            {t.sendObjection}
          </Button>
        </>
      }
    >
      <form id="objection" noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-3">
        <textarea
          aria-label={t.objectText}
          rows={6}
          maxLength={TEXT_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={`${inputClass} resize-y`}
        />
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
