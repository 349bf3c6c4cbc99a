import type { Output, RouteOf } from '@tidenet/contract'
import { SUPPORT_TEXT_MAX } from '@tidenet/contract/constants'
import { LifeBuoy } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

type Sent = Output<RouteOf<'traces.get'>>['support']

/** "Send to support": stores the trace with a text for the operators. */
export function SupportForm({ traceId, sent }: { traceId: string; sent: Sent }) {
  const id = useId()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const s = t.support
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await api('supports.create', { trace_id: traceId, text })
      setText('')
      refresh('traces.get')
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const open = sent && !sent.closed_at
  return (
    <Card className="p-5">
      <h2 className="flex items-center gap-2 font-semibold">
        <LifeBuoy aria-hidden className="size-4.5 text-muted" />
        {s.title}
      </h2>
      <p role="status" className="mt-1 text-muted">
        {open
          ? s.sent(formatDateTime(sent.sent_at))
          : sent?.closed_at
            ? s.closed(formatDateTime(sent.closed_at))
            : s.intro}
      </p>
      {!open && (
        <form onSubmit={(event) => void send(event)} className="mt-4 flex flex-col gap-1.5">
          <label htmlFor={`${id}-text`} className="text-sm font-medium">
            {s.text}
          </label>
          <textarea
            id={`${id}-text`}
            rows={3}
            maxLength={SUPPORT_TEXT_MAX}
            value={text}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setText(event.target.value)}
            className={`${inputClass} resize-y`}
          />
          <p id={`${id}-hint`} className="text-sm text-muted">
            {s.tooLong(formatNumber(SUPPORT_TEXT_MAX))}
          </p>
          {failure && (
            <Notice tone="bad" live>
              {failure}
            </Notice>
          )}
          <Button type="submit" busy={busy} className="mt-1 self-start">
            {s.send}
          </Button>
        </form>
      )}
    </Card>
  )
}
