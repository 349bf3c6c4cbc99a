import { type FormEvent, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { Badge, Card } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { CodeInput, isTotp } from '../recent-auth/code-input.tsx'
import { t as recentAuth } from '../recent-auth/texts.ts'
import type { SectionProps } from './section.ts'
import { t } from './texts.ts'

const reload = () => refresh('secondFactors.overview')

export function TotpSection({ overview, withRecentAuth, onCodes }: SectionProps) {
  const o = t.totp
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [ending, setEnding] = useState(false)
  const [busy, setBusy] = useState(false)
  const since = overview.totp_since
  const start = async () => {
    setBusy(true)
    try {
      setSetup(await withRecentAuth(() => api('secondFactors.startTotp', {})))
    } catch (failure) {
      toast.error(failure)
    }
    setBusy(false)
  }
  return (
    <Card className="p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="flex flex-wrap items-center gap-3 text-lg font-semibold">
            {o.title}
            <Badge tone={since ? 'accent' : 'plain'}>{since ? o.on(formatDate(since)) : o.off}</Badge>
          </h2>
          <p className="mt-1 text-sm text-muted">{o.text}</p>
        </div>
        {since ? (
          <Button onClick={() => setEnding(true)}>{o.turnOff}</Button>
        ) : (
          <Button busy={busy} onClick={() => void start()}>
            {o.turnOn}
          </Button>
        )}
      </div>
      {setup && (
        <CodeDialog
          title={o.setupTitle}
          label={o.confirm}
          kind="totp"
          action={o.confirmGo}
          onClose={() => setSetup(undefined)}
          onCode={async (code) => {
            const done = await withRecentAuth(() => api('secondFactors.confirmTotp', { code }))
            if (done) {
              toast.success(o.done)
              onCodes(done.recovery)
            }
            setSetup(undefined)
            reload()
          }}
        >
          <div className="grid items-start gap-5 sm:grid-cols-[11rem_1fr]">
            <div className="mx-auto w-44">
              <QrCode text={setup.uri} label={o.qr} />
            </div>
            <div className="min-w-0 text-sm">
              <p>{o.scan}</p>
              <p className="mt-4 text-muted">{o.manual}</p>
              <p className="mt-1 flex items-start gap-1">
                <code className="min-w-0 flex-1 py-1.5 font-mono leading-6 wrap-anywhere" translate="no">
                  {setup.secret.match(/.{1,4}/g)?.join(' ')}
                </code>
                <CopyIcon text={setup.secret} label={o.copyKey} />
              </p>
            </div>
          </div>
        </CodeDialog>
      )}
      {ending && (
        <CodeDialog
          title={o.offTitle}
          text={o.offText}
          label={o.offCode}
          kind="either"
          action={o.turnOff}
          onClose={() => setEnding(false)}
          onCode={async (code) => {
            await api('secondFactors.endTotp', isTotp(code) ? { code } : { recovery: code })
            toast.success(o.offDone)
            setEnding(false)
            reload()
          }}
        />
      )}
    </Card>
  )
}

interface CodeDialogProps {
  title: string
  text?: string
  label: string
  kind: 'totp' | 'either'
  action: string
  children?: React.ReactNode
  onClose: () => void
  onCode: (code: string) => Promise<void>
}

function CodeDialog({ title, text, label, kind, action, children, onClose, onCode }: CodeDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (kind === 'totp' ? !isTotp(code) : !code.trim())
      return setProblem(kind === 'totp' ? recentAuth.codeProblem : t.step.recoveryProblem)
    setBusy(true)
    try {
      await onCode(code)
    } catch (failure) {
      setBusy(false)
      setProblem(messageOf(failure))
      form.current?.querySelector('input')?.select()
    }
  }
  return (
    <Dialog open persistent form onClose={onClose} title={title} description={text} wide={Boolean(children)}>
      {children}
      <form
        ref={form}
        method="post"
        className="mt-5 flex flex-col gap-4"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <CodeInput
          kind={kind}
          label={label}
          value={code}
          error={problem}
          onChange={(next) => {
            setCode(next)
            setProblem(undefined)
          }}
        />
        <Button look="primary" type="submit" busy={busy} className="min-h-10">
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
