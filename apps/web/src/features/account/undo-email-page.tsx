import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { clearSession } from '../../lib/session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Where the link in the e-mail to an old address leads. A button undoes the change, because mail programs open links by themselves. */
export function UndoEmailPage() {
  const title = usePageTitle()
  const u = t.undoMail
  const [token] = useState(() => (import.meta.env.SSR ? '' : location.hash.slice(1)))
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready')
  const [refusal, setRefusal] = useState<string>()
  const undo = async () => {
    setState('busy')
    setRefusal(undefined)
    try {
      await api('emails.undo', { token }, { token: '' })
      clearSession('left')
      setState('done')
    } catch (error) {
      setRefusal(messageOf(error))
      setState('ready')
    }
  }
  return (
    <Page width="narrow">
      <PageTitle title={title} />
      <Card className="flex flex-col items-start gap-4 p-6">
        {state === 'done' ? (
          <>
            <Notice tone="good" live>
              {u.done}
            </Notice>
            <p>{u.next}</p>
            <Link to="/login" search={{ mode: 'code' }} className={buttonClass('primary')}>
              {u.signIn}
            </Link>
          </>
        ) : /^[\w-]{43}$/.test(token) ? (
          <>
            <p>{u.text}</p>
            <ul className="list-disc space-y-2 pl-5">
              {u.effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
            {refusal && (
              <Notice tone="bad" live>
                {refusal}
              </Notice>
            )}
            <Button look="primary" busy={state === 'busy'} onClick={() => void undo()}>
              {u.go}
            </Button>
          </>
        ) : (
          <p>{u.noToken}</p>
        )}
      </Card>
    </Page>
  )
}
