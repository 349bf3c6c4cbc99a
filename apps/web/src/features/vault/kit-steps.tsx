import { Download, Printer } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { focusOnMount } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

const CHECKED = 6

/** Prints a text alone. */
function print(text: string): void {
  const frame = document.createElement('iframe')
  frame.className = 'fixed size-0 border-0'
  document.body.append(frame)
  const inside = frame.contentDocument
  if (!inside) return
  const page = inside.createElement('pre')
  page.textContent = text
  inside.body.append(page)
  frame.contentWindow?.print()
  setTimeout(() => frame.remove(), 60_000)
}

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = t.setup.fileName
  link.click()
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const keyIn = (kit: string): string => /^AGE-SECRET-KEY-1\w+$/m.exec(kit)?.[0] ?? ''

/** Shows a recovery kit; its owner proves to have kept it before `onKept` stores it. */
export function KitSteps({ kit, onKept }: { kit: string; onKept: () => Promise<void> }) {
  const s = t.setup
  const [checking, setChecking] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim().toUpperCase() !== keyIn(kit).slice(-CHECKED)) return setProblem(s.wrong)
    setBusy(true)
    try {
      await onKept()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  if (!checking)
    return (
      <div className="flex flex-col gap-4">
        <h3 ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
          {s.kitTitle}
        </h3>
        <Notice tone="warn">{s.kitText}</Notice>
        <pre
          translate="no"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
          className="max-h-56 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs"
        >
          {kit}
        </pre>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Printer aria-hidden className="size-4" />} onClick={() => print(kit)}>
            {s.print}
          </Button>
          <Button icon={<Download aria-hidden className="size-4" />} onClick={() => save(kit)}>
            {s.save}
          </Button>
          <CopyButton text={kit}>{s.copy}</CopyButton>
          <Button look="primary" className="ml-auto" onClick={() => setChecking(true)}>
            {s.kept}
          </Button>
        </div>
      </div>
    )
  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <h3 ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
        {s.checkTitle}
      </h3>
      <p className="text-sm text-muted">{s.checkText}</p>
      <Field label={s.check} error={problem}>
        <TextInput
          name="kit-check"
          autoComplete="off"
          spellCheck={false}
          maxLength={CHECKED + 2}
          className="font-mono"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setChecking(false)}>{s.back}</Button>
        <Button look="primary" type="submit" busy={busy} disabled={typed === ''} className="ml-auto">
          {s.finish}
        </Button>
      </div>
    </form>
  )
}
