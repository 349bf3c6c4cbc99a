import { Component, type FormEvent, type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choices.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/states.tsx'
import { lazyView } from '../lazy-view.tsx'
import { walletMessage } from '../messages.ts'
import { t } from '../texts.ts'
import { canSign, type Seen } from './approval.ts'
import { type Request, useBuiltIn } from './state.ts'

const TransactionSummary = lazyView(async () => (await import('../transaction-summary.tsx')).TransactionSummary)

/** Prompts for requests to the built-in wallet. Every component that uses the wallet renders one; the innermost is shown. */
export function BuiltInPrompt() {
  const id = useId()
  const request = useBuiltIn((state) => (state.hosts.at(-1) === id ? state.request : undefined))
  useEffect(() => {
    useBuiltIn.setState(({ hosts }) => ({ hosts: [...hosts, id] }))
    return () => {
      useBuiltIn.setState(({ hosts }) => ({ hosts: hosts.filter((host) => host !== id) }))
      // A request that is not shown cannot be answered.
      useBuiltIn.getState().request?.decide({ yes: false })
    }
  }, [id])
  return request && <Asked key={`${request.kind} ${request.text}`} request={request} />
}

function Asked({ request }: { request: Request }) {
  const open = useBuiltIn((state) => state.open)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [seen, setSeen] = useState<Seen>()
  const [agreed, setAgreed] = useState(false)
  const form = useId()
  const p = t.prompt
  const { kind, text } = request
  const may = canSign(request, seen, agreed)
  const refuse = () => request.decide({ yes: false })
  const onShown = useCallback((now: Seen) => setSeen(now), [])
  useEffect(() => {
    // A plain text is shown as it is by this dialog.
    if (kind === 'text') setSeen({ text, explained: true })
  }, [kind, text])
  const approve = async (event: FormEvent) => {
    event.preventDefault()
    // Enter in the password field submits, too.
    if (!may) return
    if (!open) {
      if (password === '') return setProblem(t.own.passwordMissing)
      setBusy(true)
      try {
        const { unlock } = await import('./signer.ts')
        await unlock(password)
      } catch (error) {
        setProblem(walletMessage(error))
        setBusy(false)
        return
      }
    }
    request.decide({ yes: true, text })
  }
  return (
    <Dialog
      open
      persistent
      onClose={refuse}
      title={p[kind]}
      description={kind === 'connect' ? p.connectText : kind === 'text' ? p.textText : p.transactionText}
      actions={
        <>
          <Button onClick={refuse}>{p.refuse}</Button>
          <Button look="primary" type="submit" form={form} busy={busy} disabled={!may}>
            {kind === 'connect' ? p.unlock : p.sign}
          </Button>
        </>
      }
    >
      <form id={form} method="post" className="grid gap-4" onSubmit={(event) => void approve(event)} noValidate>
        {kind === 'transaction' && (
          <Otherwise fallback={<Raw text={text} onShown={onShown} />}>
            <TransactionSummary text={text} onShown={onShown} />
          </Otherwise>
        )}
        {kind === 'transaction' && seen && !seen.explained && (
          <Checkbox checked={agreed} onChange={setAgreed}>
            {p.agree}
          </Checkbox>
        )}
        {kind === 'text' && <Text>{text}</Text>}
        {!open && (
          <Field label={t.own.password} error={problem}>
            <PasswordInput
              name="wallet-password"
              autoComplete="off"
              autoFocus
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                setProblem(undefined)
              }}
            />
          </Field>
        )}
        {open && problem && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Dialog>
  )
}

/** A text to be signed. */
const Text = ({ children }: { children: string }) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    tabIndex={0}
    className="max-h-80 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
  >
    {children}
  </pre>
)

/** The raw text, if the summary cannot be loaded. */
function Raw({ text, onShown }: { text: string; onShown: (seen: Seen) => void }) {
  useEffect(() => onShown({ text, explained: false }), [text, onShown])
  return (
    <>
      <Notice tone="warn">{t.prompt.noWords}</Notice>
      <Text>{text}</Text>
    </>
  )
}

/** Error boundary with a fallback. */
class Otherwise extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
