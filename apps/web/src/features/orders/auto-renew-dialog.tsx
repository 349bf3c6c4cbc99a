import type { Order } from '@tidenet/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { paymentMessage } from '../wallet/messages.ts'
import { type AutoRenewal, capProblem, isAllowance, proposedCap, renewalsIn } from './auto-renew.ts'
import { refreshOrders } from './changes.ts'
import { formatCoins } from './format.ts'
import { SigningDialog } from './signing-dialog.tsx'
import { exceeds } from './terms.ts'
import { t } from './texts.ts'
import type { SigningTask } from './use-signing.ts'

const a = t.autoRenew

type Setting = { on: true; cap: number } | { on: false }

interface AutoRenewDialogProps {
  order: Order
  renewal: AutoRenewal
  symbol: string
  onClose: () => void
}

/** Asks for the cap, requests the allowance from the wallet, and turns auto-renewal on. */
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
  const format = (coins: number) => formatCoins(coins, symbol)
  const wrong = capProblem(cap, renewal)
  const problem = wrong === 'low' ? a.dialog.low(format(spent + cost)) : wrong && a.dialog.form
  const setting: Setting = { on: true, cap: Number(cap) }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (wrong) return
    setBusy(true)
    setRefusal(undefined)
    try {
      const { execute } = await api('orders.autoRenew', { id: order.id, ...setting, dry_run: true })
      if (execute) return setSigning(true)
      await api('orders.autoRenew', { id: order.id, ...setting })
      refreshOrders()
      toast.success(t.done.autoRenewOn)
      onClose()
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (signing) return <AllowanceDialog id={order.id} setting={setting} onClose={onClose} />
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
            wrong ? '' : a.dialog.hint(renewalsIn(Number(cap) - spent, cost), format(cost)),
            spent > 0 ? a.dialog.spent(format(spent)) : '',
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

/** Turns auto-renewal off, then asks the wallet to reduce the allowance. */
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
  if (signing) return <AllowanceDialog id={order.id} setting={{ on: false }} onClose={onClose} />
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

/** Sets the wallet's allowance to what its orders need. Auto-renewal is turned on only after that transaction is sent. */
export function AllowanceDialog({ id, setting, onClose }: { id: string; setting: Setting; onClose: () => void }) {
  const switched = useRef(Promise.resolve(true))
  const prepareTask = async (): Promise<SigningTask> => {
    const asked = await api('orders.autoRenew', { id, ...setting, dry_run: true })
    return {
      payer: asked.payer,
      request: { contract: asked.token, message: JSON.parse(asked.execute || '{}') as object },
      fee: asked.fee,
      fits: (facts) => isAllowance(facts, asked),
      sent: () => {
        if (!setting.on) return
        switched.current = api('orders.autoRenew', { id, ...setting }).then(
          () => true,
          (error) => {
            toast.error(error)
            return false
          },
        )
      },
    }
  }
  return (
    <SigningDialog
      title={a.sign.titles[setting.on ? 'on' : 'off']}
      words={a.sign}
      prepareTask={prepareTask}
      onDone={() => {
        void switched.current.then((done) => {
          refreshOrders()
          if (done) toast.success(setting.on ? t.done.autoRenewOn : t.done.allowanceBack)
        })
        onClose()
      }}
      onFailed={(error) => toast.error(paymentMessage(error))}
      onClose={onClose}
    />
  )
}
