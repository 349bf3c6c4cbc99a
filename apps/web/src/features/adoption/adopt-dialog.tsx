import { FileText, MessageCircle, SquareTerminal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { useConsole } from '../../lib/console-store.ts'
import { queries } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { openSupport, readVisitor, storeVisitor } from '../feedback/support.ts'
import { askLater, clearFound, countFound, useFound } from './found.ts'
import { forgetUploads, type OwnUpload } from './own-uploads.ts'
import { readGuestKey, storeGuestKey } from './own-workspace.ts'
import { t } from './texts.ts'

const NAMES = 3

/** Offers to add what was left on this device without an account. Never silently: devices are shared. */
export function AdoptDialog() {
  const found = useFound()
  const { files, messages, workspaces } = found
  const [isBusy, setIsBusy] = useState(false)
  const discard = () => {
    if (messages > 0) storeVisitor('')
    if (workspaces > 0) storeGuestKey('')
    forgetUploads(files.map(({ cid }) => cid))
    clearFound()
    toast.success(t.discarded)
  }
  const add = async () => {
    setIsBusy(true)
    try {
      const failed = await adoptFiles(files)
      if (messages > 0) await adoptMessages()
      if (workspaces > 0) await adoptWorkspace()
      clearFound()
      if (failed) toast.error(`${t.failed(failed.count)}: ${failed.reason}`)
      else toast.success(t.added)
    } catch (error) {
      toast.error(error)
    }
    setIsBusy(false)
  }
  return (
    <Dialog
      open={countFound(found) > 0}
      onClose={askLater}
      title={t.title(countFound(found))}
      description={t.text}
      actions={
        <>
          <Button look="quietDanger" className="mr-auto" disabled={isBusy} onClick={discard}>
            {t.discard}
          </Button>
          <Button disabled={isBusy} onClick={askLater}>
            {t.later}
          </Button>
          <Button look="primary" busy={isBusy} onClick={() => void add()}>
            {t.add}
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-3">
        {files.length > 0 && (
          <Kind icon={<FileText aria-hidden className="size-5" />} title={t.files(files.length)} text={t.filesText}>
            <Names files={files} />
          </Kind>
        )}
        {workspaces > 0 && (
          <Kind icon={<SquareTerminal aria-hidden className="size-5" />} title={t.workspace} text={t.workspaceText} />
        )}
        {messages > 0 && (
          <Kind
            icon={<MessageCircle aria-hidden className="size-5" />}
            title={t.messages(messages)}
            text={t.messagesText}
          />
        )}
      </ul>
    </Dialog>
  )
}

function Kind({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children?: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 text-accent">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {children}
        <p className="text-sm text-muted">{text}</p>
      </div>
    </li>
  )
}

function Names({ files }: { files: readonly OwnUpload[] }) {
  const names = files.map(({ name }) => name).filter((name) => name !== '')
  if (names.length === 0) return null
  return (
    <p className="text-sm wrap-anywhere">
      <bdi translate="no">{names.slice(0, NAMES).join(', ')}</bdi>
      {names.length > NAMES && ` ${t.more(names.length - NAMES)}`}
    </p>
  )
}

/** @returns how many files could not be added, and why the last one */
async function adoptFiles(files: readonly OwnUpload[]): Promise<{ count: number; reason: string } | undefined> {
  let failed: { count: number; reason: string } | undefined
  for (const { cid, trace } of files) {
    try {
      await api('tempFiles.adopt', { cid, trace_id: trace })
      forgetUploads([cid])
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') throw error
      failed = { count: (failed?.count ?? 0) + 1, reason: messageOf(error) }
    }
  }
  void queries.invalidateQueries()
  return failed
}

/** The guest's session of the console ends; the account has its own. */
async function adoptWorkspace(): Promise<void> {
  const { token, expires_at: expires } = await api('guests.adopt', { key: readGuestKey() })
  useConsole.setState({ token, account: '', expires })
}

async function adoptMessages(): Promise<void> {
  await api('chat.adopt', { visitor: readVisitor() })
  storeVisitor('')
  const { restartChat } = await import('../chat/connection.ts')
  restartChat()
  openSupport('support')
}
