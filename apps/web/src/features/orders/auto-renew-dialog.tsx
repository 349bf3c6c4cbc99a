import type { Order } from '@tidenet/contract'
import { type FormEvent, useId, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { paymentMessage } from '../wallet/said.ts'
import { type AutoRenewal, capProblem, isAllowance, proposedCap, renewalsIn } from './auto-renew.ts'
import { refreshOrders } from './changes.ts'
import { sayCoins } from './said.ts'
import { SigningDialog } from './signing-dialog.tsx'
import { exceeds } from './terms.ts'
import { t } from './texts.ts'
import type { Task } from './use-signing.ts'

const a = t.autoRenew

type Wish = { on: true; cap: number } | { on: false }

interface AutoRenewDialogProps {
  order: Order
  renewal: AutoRenewal
  symbol: string
  onClose: () => void
}

/** Asks for the cap, has the wallet allow it, and switches on. */
export function AutoRenewDialog({ order, renewal, symbol, onClose }: AutoRenewDialogProps) {
  const [cap, setCap] = useState(() => String(proposedCap(renewal)))
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [signing, setSigning] = useState(false)
  const balance = useQuery(query('faucet.balance', {}))
  const form = useId()
  const { spent, next } = renewal
  const cost = next?.cost ?? 1
  const say = (coins: number) => sayCoins(coins, symbol)
  const wrong = capProblem(cap, renewal)
  const problem = wrong === 'low' ? a.dialog.low(say(spent + cost)) : wrong && a.dialog.form
  const wish: Wish = { on: true, cap: Number(cap) }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (wrong) return
    setBusy(true)
    setRefusal(undefined)
    try {
      const { execute } = await api('orders.autoRenew', { id: order.id, ...wish, dry_run: true })
      if (execute) return setSigning(true)
      await api('orders.autoRenew', { id: order.id, ...wish })
      refreshOrders()
      toast.success(t.done.autoRenewOn)
      onClose()
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (signing) return <AllowanceDialog id={order.id} wish={wish} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={a.dialog.title}
      description={a.dialog.text}
      actions={
        <>
          <Button onClick={onClose}>{a.dialog.cancel}</Button>
          <Button look="primary" type="submit" form={form} busy={busy}>
            {a.dialog.go}
          </Button>
        </>
      }
    >
      <form id={form} method="post" className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label={a.dialog.cap}
          hint={[
            wrong ? '' : a.dialog.hint(renewalsIn(Number(cap) - spent, cost), say(cost)),
            spent > 0 ? a.dialog.spent(say(spent)) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
          error={tried ? problem : undefined}
        >
          <div className="flex items-center gap-3">
            <TextInput
              className="font-mono tabular-nums"
              inputMode="numeric"
              autoComplete="off"
              value={cap}
              onChange={(event) => setCap(event.target.value)}
            />
            <span className="text-muted">{symbol}</span>
          </div>
        </Field>
        {!wrong && balance.data && exceeds(Number(cap) - spent, balance.data.balance) && (
          <Notice tone="warn">{a.dialog.over}</Notice>
        )}
        {refusal && (
          <Notice tone="bad" live>
            {refusal}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

/** Switches off at once, then has the wallet take back what it allowed. */
export function AutoRenewOffDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [signing, setSigning] = useState(false)
  const off = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const { execute } = await api('orders.autoRenew', { id: order.id, on: false })
      refreshOrders()
      toast.success(t.done.autoRenewOff)
      if (execute) setSigning(true)
      else onClose()
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  if (signing) return <AllowanceDialog id={order.id} wish={{ on: false }} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={a.offDialog.title}
      description={a.offDialog.text(formatDateTime(order.expired_at))}
      actions={
        <>
          <Button onClick={onClose}>{a.offDialog.keep}</Button>
          <Button look="danger" busy={busy} onClick={() => void off()}>
            {a.offDialog.confirm}
          </Button>
        </>
      }
    >
      {refusal && (
        <Notice tone="bad" live>
          {refusal}
        </Notice>
      )}
    </Dialog>
  )
}

/** Has the wallet allow just what its orders need. An order is switched on once that is on its way, never before. */
export function AllowanceDialog({ id, wish, onClose }: { id: string; wish: Wish; onClose: () => void }) {
  const task = async (): Promise<Task> => {
    const asked = await api('orders.autoRenew', { id, ...wish, dry_run: true })
    return {
      payer: asked.payer,
      wish: { contract: asked.token, message: JSON.parse(asked.execute || '{}') as object },
      fee: asked.fee,
      fits: (facts) => isAllowance(facts, asked),
      sent: () => {
        if (!wish.on) return
        api('orders.autoRenew', { id, ...wish })
          .catch(toast.error)
          .finally(refreshOrders)
      },
    }
  }
  return (
    <SigningDialog
      title={a.sign.titles[wish.on ? 'on' : 'off']}
      words={a.sign}
      task={task}
      onDone={() => {
        refreshOrders()
        toast.success(wish.on ? t.done.autoRenewOn : t.done.allowanceBack)
        onClose()
      }}
      onFailed={(error) => toast.error(paymentMessage(error))}
      onClose={onClose}
    />
  )
}
