import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { consoleQuery, refreshConsole, useConsoleQuery } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

/** Logins of the account at image registries. */
export function RegistriesCard() {
  const registries = useConsoleQuery(consoleQuery('clusters.registries', {}))
  const [adding, setAdding] = useState(false)
  const remove = async (host: string) => {
    try {
      await call('clusters.removeRegistry', { host })
      await refreshConsole('clusters.registries')
      toast.success(t.registries.removed(host))
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Card className="mt-8 p-5 sm:p-6">
      <h2 className="font-medium">{t.registries.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.registries.text}</p>
      {registries.isPending ? (
        <Loading />
      ) : registries.data ? (
        <div className="grid gap-4">
          {registries.data.list.length === 0 && <p className="text-sm text-muted">{t.registries.none}</p>}
          <ul className="grid gap-2 empty:hidden">
            {registries.data.list.map(({ host, username, changed_at }) => (
              <li key={host} className="flex items-center justify-between gap-4 text-sm">
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-mono" translate="no">
                    {host}
                  </span>
                  <span className="ml-3 text-muted">{t.registries.of(username, formatDateTime(changed_at))}</span>
                </span>
                <IconButton label={t.registries.remove(host)} onClick={() => void remove(host)}>
                  <Trash2 aria-hidden className="size-4" />
                </IconButton>
              </li>
            ))}
          </ul>
          {adding ? (
            <LoginForm hosts={registries.data.hosts} onSaved={() => setAdding(false)} />
          ) : (
            <div>
              <Button onClick={() => setAdding(true)}>{t.registries.add}</Button>
            </div>
          )}
        </div>
      ) : (
        <LoadFailed title={t.registries.failed} error={registries.error} onRetry={() => void registries.refetch()} />
      )}
    </Card>
  )
}

function LoginForm({ hosts, onSaved }: { hosts: readonly string[]; onSaved: () => void }) {
  const [host, setHost] = useState(hosts[0] ?? '')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (username.trim() === '' || password === '') return setProblem(t.registries.missing)
    setProblem(undefined)
    setBusy(true)
    try {
      await call('clusters.setRegistry', { host, username: username.trim(), password })
      await refreshConsole('clusters.registries')
      toast.success(t.registries.saved(host))
      onSaved()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form className="grid max-w-sm gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <Select
        label={t.registries.host}
        value={host}
        options={hosts.map((value) => ({ value, label: value }))}
        onChange={setHost}
      />
      <Field label={t.registries.username}>
        <TextInput autoComplete="off" value={username} onChange={(event) => setUsername(event.target.value)} />
      </Field>
      <Field label={t.registries.password}>
        <PasswordInput autoComplete="off" value={password} onChange={(event) => setPassword(event.target.value)} />
      </Field>
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {t.registries.save}
        </Button>
      </div>
    </form>
  )
}
