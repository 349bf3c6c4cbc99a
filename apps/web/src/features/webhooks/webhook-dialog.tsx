import { NAME_MAX } from '@tidenet/contract/constants'
import { WEBHOOK_EVENTS } from '@tidenet/contract/webhooks'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { nameProblem } from '../../ui/name-problem.ts'
import { Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'
import type { Webhook } from './types.ts'

interface Props {
  /** Undefined: a new one. */
  webhook?: Webhook | undefined
  onClose: () => void
  onCreated: (secret: string) => void
}

/** Creates or changes a webhook. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [events, setEvents] = useState<readonly (typeof WEBHOOK_EVENTS)[number][]>(webhook?.events ?? WEBHOOK_EVENTS)
  const [checked, setChecked] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const wrongName = nameProblem(name, NAME_MAX)
  const wrongUrl = /^https?:\/\/[^/\s]/.test(url.trim()) ? undefined : t.urlProblem
  const noEvents = events.length === 0

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setFailure(undefined)
    if (wrongName || wrongUrl || noEvents) return
    setBusy(true)
    const input = { name: name.trim(), url: url.trim(), events: [...events] }
    try {
      if (webhook) await api('webhooks.change', { id: webhook.id, ...input })
      else onCreated((await api('webhooks.create', input)).secret)
      refresh('webhooks.list')
      onClose()
    } catch (error) {
      setFailure(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      form
      persistent
      onClose={onClose}
      title={webhook ? t.editTitle : t.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" type="submit" form="webhook-form" busy={busy}>
            {webhook ? t.save : t.create}
          </Button>
        </>
      }
    >
      <form id="webhook-form" className="flex flex-col gap-5" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.name} hint={t.nameHint} error={checked ? wrongName : undefined}>
          <TextInput autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={t.url} hint={t.urlHint} error={checked ? wrongUrl : undefined}>
          <TextInput
            type="url"
            autoComplete="off"
            spellCheck={false}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </Field>
        <fieldset>
          <legend className="mb-2 text-sm font-medium">{t.events}</legend>
          <div className="grid gap-2.5">
            {WEBHOOK_EVENTS.map((each) => (
              <Checkbox
                key={each}
                checked={events.includes(each)}
                onChange={(on) => setEvents(WEBHOOK_EVENTS.filter((one) => (one === each ? on : events.includes(one))))}
                hint={t.event[each]}
              >
                <code className="font-mono text-sm" translate="no">
                  {each}
                </code>
              </Checkbox>
            ))}
          </div>
          {checked && noEvents && (
            <p role="alert" className="mt-2 text-sm text-danger">
              {t.noEvents}
            </p>
          )}
        </fieldset>
        {failure && (
          <Notice tone="bad" live>
            {failure}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
