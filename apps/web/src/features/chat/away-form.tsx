import { Mail } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { useSession } from '../../lib/session-store.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { chatCall } from './client.ts'
import { useChat } from './store.ts'
import { t } from './texts.ts'

const a = t.away

/** Where answers are mailed that are not read in the chat. Accounts with an address can only use this one. */
export function AwayForm() {
  const id = useId()
  const account = useSession((session) => session.emailAddress)
  const own = account.includes('@') ? account : ''
  const saved = useChat((chat) => chat.conversation?.email ?? '')
  const [changes, setChanges] = useState(false)
  const [email, setEmail] = useState(saved)
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  const save = async (next: string) => {
    setIsBusy(true)
    setProblem('')
    try {
      const answer = await chatCall('chat.email', { email: next })
      const { conversation } = useChat.getState()
      if (conversation) useChat.setState({ conversation: { ...conversation, email: answer.email } })
      toast.success(a.saved)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setIsBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = email.trim()
    if (/^\S+@\S+\.\S+$/.test(typed)) void save(typed)
    else setProblem(a.invalid)
  }

  if (saved && !changes)
    return (
      <p className="flex flex-wrap items-center gap-x-3 px-1 text-xs text-muted">
        <span className="min-w-0 wrap-anywhere">{a.on(saved)}</span>
        {!own && (
          <button type="button" className="inline-flex min-h-6 items-center underline" onClick={() => setChanges(true)}>
            {a.change}
          </button>
        )}
        <button
          type="button"
          disabled={isBusy}
          className="inline-flex min-h-6 items-center underline"
          onClick={() => void save('')}
        >
          {a.stop}
        </button>
      </p>
    )
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-2 rounded-xl bg-sunken p-3">
      <h3 id={`${id}-title`} className="flex items-center gap-2 text-sm font-medium">
        <Mail aria-hidden className="size-4 shrink-0 text-accent" />
        {a.title}
      </h3>
      <p className="text-xs text-muted">{a.text}</p>
      {own ? (
        <Button busy={isBusy} className="wrap-anywhere" onClick={() => void save(own)}>
          {a.own(own)}
        </Button>
      ) : (
        <form noValidate onSubmit={submit} className="flex flex-wrap gap-2">
          <input
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            aria-label={a.email}
            placeholder={a.email}
            aria-invalid={problem !== '' || undefined}
            aria-describedby={problem ? `${id}-problem` : undefined}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            className={`${inputClass} min-w-0 flex-1 basis-40 text-sm`}
          />
          <Button type="submit" look="primary" busy={isBusy}>
            {a.save}
          </Button>
          {changes && <Button onClick={() => setChanges(false)}>{shell.words.cancel}</Button>}
        </form>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </section>
  )
}
