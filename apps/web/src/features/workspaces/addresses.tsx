import { type ConsoleWorkload, PUBLISHED_ACCESS, type PublishedAccess } from '@tidenet/contract'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

type Port = ConsoleWorkload['ports'][number]

/** Whether the network gives addresses to ports. */
export const hasAddresses = ({ ports }: Pick<ConsoleWorkload, 'ports'>): boolean =>
  ports.some(({ url, access }) => url !== '' || access === 'none')

/** Opens an address in a new tab, signed in. The tab is opened first, because browsers only allow that at once. */
export async function openAddress(url: string): Promise<void> {
  const tab = window.open('about:blank', '_blank')
  try {
    const { url: to } = await call('clusters.open', { host: new URL(url).host, path: '/' })
    if (tab) {
      tab.opener = null
      tab.location.replace(to)
    } else window.location.assign(to)
  } catch (error) {
    tab?.close()
    toast.error(error)
  }
}

/** The addresses of a program's ports, and who can open them. */
export function Addresses({
  workload,
  tcp,
}: {
  workload: ConsoleWorkload /** Whether ports can be opened by TCP. */
  tcp: boolean
}) {
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.addresses.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.addresses.text}</p>
      <ul className="grid gap-5">
        {workload.ports.map((port) => (
          <li key={port.port}>
            <Address workload={workload} port={port} tcp={tcp} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface AddressProps {
  workload: ConsoleWorkload
  port: Port
  tcp: boolean
}

function Address({ workload: { id, state }, port: { port, url, access }, tcp }: AddressProps) {
  const shown = url.replace(/^tcp:\/\//, '')
  const [chosen, setChosen] = useState<PublishedAccess>()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async (next: PublishedAccess, secret = '') => {
    setProblem(undefined)
    setBusy(true)
    try {
      await call('clusters.publish', { id, port, access: next, password: secret })
      await refreshConsole('clusters.workspaces')
      setChosen(undefined)
      setPassword('')
      toast.success(t.addresses.saved)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const choose = (next: PublishedAccess) => {
    setProblem(undefined)
    if (next === 'password') return setChosen(next)
    setChosen(undefined)
    if (next !== access) void save(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save('password', password)
  }
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-muted">{t.addresses.port(port)}</span>
        {url && (
          <>
            <span className="min-w-0 font-mono text-xs wrap-anywhere" translate="no">
              {shown}
            </span>
            <CopyIcon text={shown} label={t.addresses.copy(port)} />
          </>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={t.addresses.who(port)}
          value={chosen ?? access}
          options={PUBLISHED_ACCESS.filter((value) => value !== 'tcp' || tcp || access === 'tcp').map((value) => ({
            value,
            label: t.addresses[value],
          }))}
          onChange={choose}
        />
        {url && access !== 'tcp' && state === 'running' && (
          <Button icon={<ExternalLink aria-hidden className="size-4" />} onClick={() => void openAddress(url)}>
            {t.addresses.open}
          </Button>
        )}
      </div>
      {access === 'tcp' && <p className="text-sm text-muted">{t.addresses.tcpText}</p>}
      {(chosen ?? access) === 'password' && (
        <form className="grid max-w-sm justify-items-start gap-3" onSubmit={submit}>
          {access !== 'password' && <p className="text-sm text-warn">{t.addresses.unsaved(t.addresses[access])}</p>}
          <div className="w-full">
            <Field
              label={access === 'password' ? t.addresses.newPassword : t.addresses.setPassword}
              hint={t.addresses.hint}
            >
              <PasswordInput
                autoComplete="new-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
          </div>
          <Button type="submit" busy={busy} disabled={password === ''}>
            {t.addresses.savePassword}
          </Button>
        </form>
      )}
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
    </div>
  )
}
