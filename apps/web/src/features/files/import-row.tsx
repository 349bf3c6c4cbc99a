import type { ImportItem } from '@tidenet/contract'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Badge } from '../../ui/states.tsx'
import { t } from './import-texts.ts'

const count = (value: number) => value.toLocaleString()

/** An import with its progress, what to do if it failed, and buttons to cancel it or start it again. */
export function ImportRow({ item }: { item: ImportItem }) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [secret, setSecret] = useState<string>()
  const { id, kind, source, state, received, total, ended } = item
  const name = item.name || source
  const run = async (call: () => Promise<unknown>) => {
    setBusy(true)
    setRefusal('')
    try {
      await call()
      setSecret(undefined)
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
      refresh('imports.list')
    }
  }
  const retry = (event?: FormEvent) => {
    event?.preventDefault()
    if (kind === 's3' && !secret) setSecret('')
    else void run(() => api('imports.retry', { id, secret_access_key: secret ?? '' }))
  }
  const canRetry = state === 'failed' || state === 'cancelled'
  const isRunning = state === 'running' || state === 'cancelling'
  const moved = total === null ? t.bytes(formatSize(received)) : t.bytesOf(formatSize(received), formatSize(total))
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 text-sm font-medium wrap-anywhere">{name}</p>
        <Badge tone={state === 'failed' ? 'warn' : isRunning ? 'accent' : 'plain'}>{t.states[state]}</Badge>
      </div>
      {name !== source && <p className="text-xs text-muted wrap-anywhere">{source}</p>}
      {isRunning && (
        <ProgressBar label={t.progress(name)} value={total ? Math.min(100, (received / total) * 100) : null} />
      )}
      <p className="text-xs text-muted">
        {kind === 's3' ? t.objects(count(item.done), count(item.skipped), count(item.failed)) : moved}
        {item.archived > 0 && ` · ${t.archived(count(item.archived))}`}
        {' · '}
        {formatDateTime(ended ?? item.created)}
      </p>
      {item.error !== '' && (
        <p className={`text-sm ${state === 'failed' ? 'text-danger' : 'text-muted'}`}>{item.error}</p>
      )}
      {item.problems.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer">
            {t.problems(count(item.problems.length), count(item.failed + item.archived))}
          </summary>
          <ul className="mt-2 flex flex-col gap-2 text-xs">
            {item.problems.map(({ key, error }) => (
              <li key={key}>
                <p className="font-medium wrap-anywhere">{key}</p>
                <p className="text-muted">{error}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
      {refusal !== '' && (
        <p role="alert" className="text-sm text-danger">
          {refusal}
        </p>
      )}
      {secret !== undefined && (
        <form className="flex flex-col gap-2" onSubmit={retry}>
          <Field label={t.secret} hint={t.secretHint}>
            <PasswordInput
              autoComplete="off"
              value={secret}
              onChange={(event: { target: { value: string } }) => setSecret(event.target.value)}
            />
          </Field>
        </form>
      )}
      <div className="flex gap-2">
        {ended === null && state !== 'cancelling' && (
          <Button
            aria-label={t.cancelOf(name)}
            busy={busy}
            onClick={() => void run(() => api('imports.cancel', { id }))}
          >
            {t.cancel}
          </Button>
        )}
        {canRetry && (
          <Button aria-label={t.retryOf(name)} busy={busy} onClick={() => retry()}>
            {t.retry}
          </Button>
        )}
      </div>
    </li>
  )
}
