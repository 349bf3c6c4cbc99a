import type { Output, RouteOf } from '@tidenet/contract'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { Deliveries } from './deliveries.tsx'
import type { NewSecret } from './secret-dialog.tsx'
import { t } from './texts.ts'
import type { Webhook } from './types.ts'

type Tested = Output<RouteOf<'webhooks.test'>>

interface Props {
  webhook: Webhook
  onEdit: () => void
  onSecret: (secret: NewSecret) => void
}

/** A webhook with its state, actions, the result of a test, and its deliveries. */
export function WebhookRow({ webhook, onEdit, onSecret }: Props) {
  const { id, name, url, events, enabled } = webhook
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState<'test' | 'other'>()
  const [tested, setTested] = useState<Tested>()
  const [asking, setAsking] = useState<'rotate' | 'remove'>()
  const panel = useId()

  const run = async (what: 'test' | 'other', work: () => Promise<unknown>) => {
    setBusy(what)
    try {
      await work()
      setAsking(undefined)
    } catch (error) {
      toast.error(error)
    }
    setBusy(undefined)
    refresh('webhooks.list', 'webhooks.deliveries')
  }
  const test = () =>
    run('test', async () => {
      setTested(undefined)
      setTested(await api('webhooks.test', { id }))
    })
  const rotate = async () => {
    const { secret, previous_until } = await api('webhooks.rotate', { id })
    onSecret({ secret, until: previous_until })
  }
  const remove = async () => {
    await api('webhooks.remove', { id })
    toast.success(t.removed)
  }
  return (
    <li className="border-b border-line p-5 last:border-b-0">
      <h2 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
        <span translate="no">{name}</span>
        {!enabled && <Badge tone="warn">{t.disabled}</Badge>}
      </h2>
      <p className="mt-1 font-mono text-sm wrap-anywhere" translate="no">
        {url}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted" translate="no">
        {events.map((event) => (
          <span key={event}>{event}</span>
        ))}
      </p>
      <State webhook={webhook} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={busy === 'test'} aria-label={t.testOf(name)} onClick={() => void test()}>
          {t.test}
        </Button>
        <Button
          aria-label={t.showOf(name)}
          aria-expanded={open}
          aria-controls={open ? panel : undefined}
          onClick={() => setOpen(!open)}
        >
          {t.show}
        </Button>
        <Button look="ghost" aria-label={t.editOf(name)} onClick={onEdit}>
          {t.edit}
        </Button>
        <Button look="ghost" aria-label={t.rotateOf(name)} onClick={() => setAsking('rotate')}>
          {t.rotate}
        </Button>
        <Button
          look="ghost"
          disabled={busy === 'other'}
          aria-label={enabled ? t.disableOf(name) : t.enableOf(name)}
          onClick={() => void run('other', () => api('webhooks.change', { id, enabled: !enabled }))}
        >
          {enabled ? t.disable : t.enable}
        </Button>
        <Button look="quietDanger" aria-label={t.removeOf(name)} onClick={() => setAsking('remove')}>
          {t.remove}
        </Button>
      </div>
      {tested && (
        <div className="mt-3">
          <TestResult {...tested} />
        </div>
      )}
      {open && (
        <section id={panel} aria-label={t.showOf(name)}>
          <Deliveries webhook={webhook} />
        </section>
      )}
      {asking && (
        <Dialog
          open
          onClose={() => setAsking(undefined)}
          title={asking === 'rotate' ? t.rotateTitle(name) : t.removeTitle(name)}
          actions={
            <>
              <Button onClick={() => setAsking(undefined)}>{shell.words.cancel}</Button>
              <Button
                look={asking === 'rotate' ? 'primary' : 'danger'}
                busy={busy === 'other'}
                onClick={() => void run('other', asking === 'rotate' ? rotate : remove)}
              >
                {asking === 'rotate' ? t.rotate : t.remove}
              </Button>
            </>
          }
        >
          <p>{asking === 'rotate' ? t.rotateQuestion : t.removeText}</p>
        </Dialog>
      )}
    </li>
  )
}

/** Why it is disabled, since when it fails, what waits. */
function State({ webhook: { disabled_by, failing_since, previous_until, waiting, dead } }: { webhook: Webhook }) {
  return (
    <>
      {(waiting > 0 || dead > 0 || previous_until) && (
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
          {waiting > 0 && <span>{t.waiting(waiting)}</span>}
          {dead > 0 && <span>{t.dead(dead)}</span>}
          {previous_until && <span>{t.twoSecrets(formatDateTime(previous_until))}</span>}
        </p>
      )}
      {(disabled_by !== '' || failing_since) && (
        <div className="mt-3">
          <Notice tone="warn">
            {disabled_by !== '' ? t.disabledBy[disabled_by] : t.failingSince(formatDateTime(failing_since ?? ''))}
          </Notice>
        </div>
      )}
    </>
  )
}

const TestResult = ({ delivered, status, failure, took_ms }: Tested) => (
  <Notice tone={delivered ? 'good' : 'bad'} live>
    {status === null
      ? t.failure[failure]
      : delivered
        ? t.tested(status, took_ms ?? 0)
        : t.testedBadly(status, took_ms ?? 0)}
  </Notice>
)
