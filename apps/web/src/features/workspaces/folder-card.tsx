import type { ConsoleWorkload, ShownFolder } from '@tidenet/contract'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { type FolderChoice, FolderFields, folderProblems, NO_FOLDER, withProgramKey } from './folder-choice.tsx'
import { t } from './folder-texts.ts'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'

/** The folder of the account's storage in a program. */
export function FolderCard({
  workload,
  offered,
  chosen,
}: {
  workload: ConsoleWorkload
  offered: boolean
  /** A folder that was chosen elsewhere. */
  chosen?: FolderChoice['folder']
}) {
  const { folder } = workload
  const [open, setOpen] = useState(chosen !== undefined)
  const canAttach = offered && (!folder || folder.problem === 'key')
  return (
    <Card className="grid max-w-3xl gap-5 p-5 sm:p-6">
      <div>
        <h2 className="font-medium">{t.title}</h2>
        <p className="mt-1 text-sm text-muted">{folder || offered ? `${t.intro} ${t.kept}` : t.notOffered}</p>
      </div>
      {folder && <Attached workload={workload} folder={folder} />}
      {canAttach &&
        (open ? (
          <AttachForm workload={workload} chosen={chosen} onDone={() => setOpen(false)} />
        ) : (
          <div>
            <Button onClick={() => setOpen(true)}>{t.open}</Button>
          </div>
        ))}
    </Card>
  )
}

/** Also another key for the same folder. */
function AttachForm({
  workload: { id, name, folder },
  chosen,
  onDone,
}: {
  workload: ConsoleWorkload
  chosen: FolderChoice['folder']
  onDone: () => void
}) {
  const [choice, setChoice] = useState<FolderChoice>({
    ...NO_FOLDER,
    folder: chosen,
    ...(folder && { path: folder.path }),
  })
  const [checked, setChecked] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setProblem(undefined)
    const wrong = folderProblems(choice)
    if (wrong.which || wrong.path) return
    setBusy(true)
    try {
      await withProgramKey(choice, name, (chosen) => call('clusters.attachFolder', { id, ...chosen }))
      await refreshConsole('clusters.workspaces')
      toast.success(t.attached)
      onDone()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="grid gap-5" onSubmit={(event) => void submit(event)} noValidate>
      <FolderFields value={choice} onChange={setChoice} checked={checked} />
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" busy={busy}>
          {t.attach}
        </Button>
        <span className="text-sm text-muted">{t.restarts}</span>
      </div>
    </form>
  )
}

function Attached({ workload: { id }, folder }: { workload: ConsoleWorkload; folder: ShownFolder }) {
  const [busy, setBusy] = useState<'save' | 'detach' | 'drop'>()
  const [asking, setAsking] = useState(false)
  const run = async (what: 'save' | 'detach' | 'drop') => {
    setBusy(what)
    try {
      if (what === 'save') await call('clusters.saveFolder', { id })
      else await call('clusters.detachFolder', { id, save: what === 'detach' })
      await refreshConsole('clusters.workspaces')
      toast.success(what === 'save' ? t.saving : what === 'detach' ? t.detaching : t.detached)
      setAsking(false)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <>
      {folder.problem && (
        <Notice tone="bad" live>
          {t.problem[folder.problem]}
          {folder.note && <span className="mt-1 block text-sm wrap-anywhere">{folder.note}</span>}
        </Notice>
      )}
      {folder.detaching && <Notice live>{t.detaching}</Notice>}
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[12rem_1fr]">
        <Fact name={t.is}>
          <span translate="no" className="wrap-anywhere">
            {folder.name} → <code className="font-mono text-xs">{folder.path}</code>
          </span>
        </Fact>
        <Fact name={t.stateIs}>{t.state[folder.state]}</Fact>
        <Fact name={t.copied}>{folder.copied_at ? formatDateTime(folder.copied_at) : t.never}</Fact>
        <Fact name={t.saved}>
          {folder.saved_at ? formatDateTime(folder.saved_at) : t.never}
          {folder.saved_files > 0 && (
            <span className="block text-muted">{t.savedFiles(folder.saved_files, formatSize(folder.saved_bytes))}</span>
          )}
        </Fact>
      </dl>
      {folder.skipped_count > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-muted">{t.skipped(folder.skipped_count)}</summary>
          <ul className="mt-2 grid gap-1">
            {folder.skipped.map(({ path, reason }) => (
              <li key={path}>
                <code translate="no" className="font-mono text-xs wrap-anywhere">
                  {path}
                </code>
                <span className="text-muted"> · {t.skip[reason]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" busy={busy === 'save'} onClick={() => void run('save')}>
          {t.save}
        </Button>
        <Button onClick={() => setAsking(true)}>{t.detach}</Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.detachTitle(folder.name)}
        description={t.detachText}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{shell.words.cancel}</Button>
            <Button look="danger" busy={busy === 'drop'} onClick={() => void run('drop')}>
              {t.detachOnly}
            </Button>
            <Button look="primary" busy={busy === 'detach'} onClick={() => void run('detach')}>
              {t.detachSave}
            </Button>
          </>
        }
      />
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted max-sm:-mb-2.5">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)
