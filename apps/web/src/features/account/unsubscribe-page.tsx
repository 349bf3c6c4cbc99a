import { Link, useSearch } from '@tanstack/react-router'
import type { NoticeKind } from '@tidenet/contract'
import { useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { t } from './notifications-texts.ts'

const kindOf = (token: string): NoticeKind | undefined => {
  const [kind = '', , signature] = token.split('.')
  return signature && kind in t.kinds ? (kind as NoticeKind) : undefined
}

/** Where the link in an e-mail leads, signed in or not. A button turns off the e-mails, because mail programs open links by themselves. */
export function UnsubscribePage() {
  const title = usePageTitle()
  const u = t.unsubscribe
  const token = useSearch({ strict: false }).token ?? ''
  const kind = kindOf(token)
  const [state, setState] = useState<'ask' | 'on' | 'off'>('ask')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  if (!kind)
    return (
      <Page width="narrow">
        <PageTitle title={title} />
        <Card className="p-6">{u.noToken}</Card>
      </Page>
    )
  const { name } = t.kinds[kind]
  const turn = async (email: boolean) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await api('notifications.subscription', { token, email }, { token: '' })
      setState(email ? 'on' : 'off')
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <Page width="narrow">
      <PageTitle title={title} />
      <Card className="flex flex-col items-start gap-4 p-6">
        {state === 'off' || state === 'on' ? (
          <Notice tone="good" live>
            {state === 'off' ? u.off(name) : u.on(name)}
          </Notice>
        ) : (
          <p>{u.text(name)}</p>
        )}
        {refusal && (
          <Notice tone="bad" live>
            {refusal}
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          {state === 'off' ? (
            <Button busy={busy} onClick={() => void turn(true)}>
              {u.undo}
            </Button>
          ) : (
            <Button look="primary" busy={busy} onClick={() => void turn(false)}>
              {u.go}
            </Button>
          )}
          <Link to="/notifications" className={buttonClass()}>
            {u.all}
          </Link>
        </div>
      </Card>
    </Page>
  )
}
