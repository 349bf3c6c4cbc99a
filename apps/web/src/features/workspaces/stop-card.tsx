import type { ConsoleWorkload } from '@tidenet/contract'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

/** Stops a program at a time, or after hours. Times are local here, and UTC on the wire. */
export function StopCard({ workload: { id, stop_at } }: { workload: ConsoleWorkload }) {
  const [hours, setHours] = useState('')
  const [time, setTime] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const schedule = async (when: { hours?: number; stop_at?: string }) => {
    setProblem(undefined)
    setBusy(true)
    try {
      const { stop_at: at } = await call('clusters.schedule', { id, ...when })
      await refreshConsole('clusters.workspaces')
      setHours('')
      setTime('')
      toast.success(at ? t.stop.done(formatDateTime(at)) : t.stop.cancelled)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const at = new Date(time)
    if (hours !== '') void schedule({ hours: Number(hours) })
    else if (time !== '' && !Number.isNaN(at.getTime())) void schedule({ stop_at: at.toISOString() })
    else setProblem(t.stop.missing)
  }
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.stop.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{stop_at ? t.stop.planned(formatDateTime(stop_at)) : t.stop.text}</p>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t.stop.hours}>
            <TextInput inputMode="numeric" value={hours} onChange={(event) => setHours(event.target.value)} />
          </Field>
          <Field label={t.stop.time} hint={t.stop.timeHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}>
            <TextInput type="datetime-local" value={time} onChange={(event) => setTime(event.target.value)} />
          </Field>
        </div>
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy}>
            {t.stop.go}
          </Button>
          {stop_at && (
            <Button look="ghost" disabled={busy} onClick={() => void schedule({})}>
              {t.stop.cancel}
            </Button>
          )}
        </div>
      </form>
    </Card>
  )
}
