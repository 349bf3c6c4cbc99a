import { type ReactNode, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { openConsole } from './changes.ts'
import { t } from './texts.ts'

const p = t.password

/** Shows account and password of the container console; the password can be reset. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const account = useQuery({ ...query('clusters.account', {}), staleTime: 0 })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState(false)
  const reset = async () => {
    setBusy(true)
    setProblem(undefined)
    setDone(false)
    try {
      await api('clusters.resetPassword', {})
      refresh('clusters.account')
      setDone(true)
      toast.success(t.done.reset)
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
      title={p.title}
      description={p.text}
      actions={
        account.data && (
          <>
            <Button busy={busy} onClick={() => void reset()}>
              {p.reset}
            </Button>
            <Button look="primary" onClick={() => void openConsole()}>
              {p.open}
            </Button>
          </>
        )
      }
    >
      {account.isPending ? (
        <Loading />
      ) : account.isError ? (
        <LoadFailed title={p.failed} error={account.error} onRetry={() => void account.refetch()} />
      ) : (
        <div className="grid gap-4">
          <Copied text={account.data.account} label={p.copyAccount}>
            <Field label={p.account}>
              <TextInput readOnly className="font-mono text-sm" value={account.data.account} />
            </Field>
          </Copied>
          <Copied text={account.data.kub_pwd} label={p.copyPassword}>
            <Field label={p.password} hint={p.resetText}>
              <PasswordInput readOnly autoComplete="off" className="font-mono" value={account.data.kub_pwd} />
            </Field>
          </Copied>
          {done && (
            <Notice tone="good" live>
              {t.done.reset}
            </Notice>
          )}
          {problem && (
            <Notice tone="bad" live>
              {problem}
            </Notice>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** A field with a copy button. */
function Copied({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">{children}</div>
      <span className="mt-7">
        <CopyIcon text={text} label={label} />
      </span>
    </div>
  )
}
