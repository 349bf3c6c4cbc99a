import {
  type ConsoleWorkload,
  HEALTH_KINDS,
  type HealthCheck,
  RESTART_POLICIES,
  type RestartPolicy,
} from '@tidenet/contract'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { call } from './session.ts'
import { t } from './texts.ts'
import { useSubmit } from './use-submit.ts'

type Kind = HealthCheck['kind'] | 'none'
const NEW_CHECK = { path: '/', interval: 30, threshold: 3 }

/** When a program is restarted, and how its health is checked. @param restarts whether the owner chooses when; otherwise always */
export function SuperviseCard({ workload, restarts }: { workload: ConsoleWorkload; restarts: boolean }) {
  const { id, health, ports } = workload
  const [restart, setRestart] = useState<RestartPolicy>(workload.restart)
  const [kind, setKind] = useState<Kind>(health?.kind ?? 'none')
  const [check, setCheck] = useState({ ...NEW_CHECK, port: ports[0]?.port ?? 0, ...health })
  const { problem, busy, submit } = useSubmit()
  const set = (part: Partial<typeof check>) => setCheck((before) => ({ ...before, ...part }))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const change = { id, ...(restarts && { restart }), health: kind === 'none' ? null : { ...check, kind } }
    void submit(() => call('clusters.change', change), t.supervise.saved)
  }
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.supervise.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{restarts ? t.supervise.text : t.supervise.always}</p>
      <form className="grid gap-4" onSubmit={save} noValidate>
        {restarts && (
          <Choice label={t.supervise.restart}>
            <Select
              label={t.supervise.restart}
              value={restart}
              options={RESTART_POLICIES.map((value) => ({ value, label: t.supervise.policy[value] }))}
              onChange={setRestart}
            />
          </Choice>
        )}
        {ports.length === 0 ? (
          <p className="text-sm text-muted">{t.supervise.noPorts}</p>
        ) : (
          <Choice label={t.supervise.health}>
            <Select
              label={t.supervise.health}
              value={kind}
              options={(['none', ...HEALTH_KINDS] as const).map((value) => ({ value, label: t.supervise.kind[value] }))}
              onChange={setKind}
            />
          </Choice>
        )}
        {kind !== 'none' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Choice label={t.supervise.port}>
              <Select
                label={t.supervise.port}
                value={check.port}
                options={ports.map(({ port }) => ({ value: port, label: String(port) }))}
                onChange={(port) => set({ port })}
              />
            </Choice>
            {kind === 'http' && (
              <Field label={t.supervise.path} hint={t.supervise.pathHint}>
                <TextInput
                  className="font-mono text-sm"
                  value={check.path}
                  onChange={(event) => set({ path: event.target.value })}
                />
              </Field>
            )}
            <Field label={t.supervise.interval}>
              <TextInput
                inputMode="numeric"
                value={String(check.interval)}
                onChange={(event) => set({ interval: Number(event.target.value) || 0 })}
              />
            </Field>
            <Field label={t.supervise.threshold} hint={t.supervise.thresholdHint}>
              <TextInput
                inputMode="numeric"
                value={String(check.threshold)}
                onChange={(event) => set({ threshold: Number(event.target.value) || 0 })}
              />
            </Field>
          </div>
        )}
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
        <div>
          <Button type="submit" look="primary" busy={busy}>
            {t.supervise.apply}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid content-start justify-items-start gap-1.5">
    <span className="text-sm font-medium">{label}</span>
    {children}
  </div>
)
