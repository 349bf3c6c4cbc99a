import type { ConsoleWorkload } from '@tidenet/contract'
import { RefreshCw, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Badge, Card, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

type Domain = ConsoleWorkload['domains'][number]

/** Domains of the owner for the ports of a program. */
export function Domains({ workload }: { workload: ConsoleWorkload }) {
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.domains.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.domains.text}</p>
      {workload.domains.length > 0 && (
        <ul className="mb-6 grid gap-5">
          {workload.domains.map((domain) => (
            <li key={domain.domain}>
              <OneDomain id={workload.id} domain={domain} />
            </li>
          ))}
        </ul>
      )}
      <AddDomain workload={workload} />
    </Card>
  )
}

function OneDomain({ id, domain: of }: { id: string; domain: Domain }) {
  const { domain, port, target, token, proven, problem, detail, certificate_until, lost_at } = of
  const [busy, setBusy] = useState<'check' | 'remove'>()
  const act = async (what: 'check' | 'remove') => {
    setBusy(what)
    try {
      await call(what === 'check' ? 'clusters.checkDomain' : 'clusters.removeDomain', { id, domain })
      await refreshConsole('clusters.workspaces')
      if (what === 'check') toast.success(t.domains.checking)
      else toast.success(t.domains.removed(domain), { title: t.domains.undo, act: () => void putBack() })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  const putBack = async () => {
    try {
      await call('clusters.addDomain', { id, port, domain })
      await refreshConsole('clusters.workspaces')
    } catch (error) {
      toast.error(error)
    }
  }
  const works = proven && certificate_until !== ''
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-mono text-sm wrap-anywhere" translate="no">
          {domain}
        </span>
        <CopyIcon text={`https://${domain}`} label={t.domains.copy(domain)} />
        <span className="text-sm text-muted">{t.addresses.port(port)}</span>
        <Badge tone={problem ? 'warn' : works ? 'accent' : 'plain'}>
          {problem ? t.domains.attention : works ? t.domains.works : t.domains.ordering}
        </Badge>
        <span className="ms-auto flex gap-1">
          <IconButton label={t.domains.check(domain)} disabled={busy !== undefined} onClick={() => void act('check')}>
            <RefreshCw aria-hidden className="size-4" />
          </IconButton>
          <IconButton label={t.domains.remove(domain)} disabled={busy !== undefined} onClick={() => void act('remove')}>
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        </span>
      </div>
      {works && <p className="text-sm text-muted">{t.domains.until(formatDateTime(certificate_until))}</p>}
      {problem && (
        <Notice tone="warn">
          <p>{t.domains.problems[problem]}</p>
          {lost_at && <p className="mt-1">{t.domains.lost(formatDateTime(lost_at))}</p>}
          {detail && (
            <p className="mt-1 text-xs wrap-anywhere" lang="en" translate="no">
              {detail}
            </p>
          )}
        </Notice>
      )}
      {(!proven || problem !== '') && (
        <>
          <DnsRecord type="CNAME" name={domain} value={target} />
          <details className="text-sm">
            <summary className="cursor-pointer text-accent">{t.domains.apex}</summary>
            <p className="mt-2 mb-2 text-muted">{t.domains.apexText(target)}</p>
            <DnsRecord type="TXT" name={`_tidenet.${domain}`} value={token} />
          </details>
        </>
      )}
    </div>
  )
}

/** A record to set at the provider of the domain. */
function DnsRecord({ type, name, value }: { type: string; name: string; value: string }) {
  const text = 'flex min-w-0 items-center gap-1 font-mono text-xs wrap-anywhere'
  return (
    <dl className="grid gap-1 rounded-md bg-sunken p-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-2">
        <dt className="text-muted">{t.domains.recordName(type)}</dt>
        <dd className={text} translate="no">
          {name}
        </dd>
      </div>
      <div className="flex flex-wrap items-center gap-x-2">
        <dt className="text-muted">{t.domains.recordValue}</dt>
        <dd className={text} translate="no">
          {value}
          <CopyIcon text={value} label={t.domains.copyValue(name)} />
        </dd>
      </div>
    </dl>
  )
}

function AddDomain({ workload: { id, ports } }: { workload: ConsoleWorkload }) {
  const [domain, setDomain] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const port = Number(chosen ?? ports[0]?.port)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    setBusy(true)
    try {
      await call('clusters.addDomain', { id, port, domain: domain.trim() })
      await refreshConsole('clusters.workspaces')
      setDomain('')
      toast.success(t.domains.added)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="grid max-w-md justify-items-start gap-3" onSubmit={(event) => void submit(event)}>
      <div className="w-full">
        <Field label={t.domains.field} hint={t.domains.hint} error={problem}>
          <TextInput
            value={domain}
            maxLength={300}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="shop.example.org"
            onChange={(event) => setDomain(event.target.value)}
          />
        </Field>
      </div>
      {ports.length > 1 && (
        <Select
          label={t.domains.port}
          value={String(port)}
          options={ports.map((each) => ({ value: String(each.port), label: t.addresses.port(each.port) }))}
          onChange={setChosen}
        />
      )}
      <Button type="submit" busy={busy} disabled={domain.trim() === ''}>
        {t.domains.add}
      </Button>
    </form>
  )
}
