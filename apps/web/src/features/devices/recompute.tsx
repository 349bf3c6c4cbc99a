import { Link } from '@tanstack/react-router'
import { RECEIPT_PENDING } from '@tidenet/contract/constants'
import type { DayCheck } from '@tidenet/receipts'
import { type FormEvent, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { formatPoints } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, inputClass, TextInput } from '../../ui/field.tsx'
import { readReceipt } from '../../ui/receipt-button.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useNetworkIdentity } from '../verify/network-identity.ts'
import { t } from './earnings-texts.ts'
import { formatHourSpan } from './hour-row.tsx'
import type { Statement } from './statement.ts'

const signed = (amount: number): string => (amount > 0 ? `+${formatPoints(amount)}` : formatPoints(amount))

/** Computes the day from its signed receipts, in this browser, and offers to send a different result to the operators. */
export function Recompute({ statement, isDisputed }: { statement: Statement; isDisputed: boolean }) {
  const { identity, isMissing } = useNetworkIdentity()
  const [busy, setBusy] = useState(false)
  const [check, setCheck] = useState<DayCheck>()
  const [failure, setFailure] = useState<string>()
  const isClosed = statement.receipt !== null || statement.hours.some(({ receipt }) => receipt !== null)

  const run = async () => {
    setBusy(true)
    setFailure(undefined)
    setCheck(undefined)
    try {
      const { checkDay } = await import('@tidenet/receipts')
      setCheck(await checkDay(statement, identity.keys, fetchReceipt))
    } catch (error) {
      setFailure(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <section className="rounded-2xl border border-line p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">{isClosed ? t.recomputeText : t.notClosed}</p>
        <Button busy={busy} disabled={!isClosed || identity.keys.length === 0} onClick={() => void run()}>
          {t.recompute}
        </Button>
      </div>
      {isMissing && <p className="mt-3 text-sm text-warn">{t.keyMissing}</p>}
      <div aria-live="polite">
        {failure && (
          <div className="mt-4">
            <Notice tone="bad">
              {t.recomputeFailed} {failure}
            </Notice>
          </div>
        )}
        {check && <Result check={check} />}
      </div>
      {check && !check.agrees && !isDisputed && <DisputeForm statement={statement} check={check} />}
    </section>
  )
}

async function fetchReceipt(id: number): Promise<unknown> {
  try {
    return await readReceipt(id)
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused' && error.err !== RECEIPT_PENDING) return undefined
    throw error
  }
}

function Result({ check }: { check: DayCheck }) {
  const { result, agrees, verified, invalid } = check
  const { traffic, storage } = result.difference
  if (agrees)
    return (
      <div className="mt-4">
        <Notice tone="good">
          <strong className="font-semibold">{t.agrees}</strong>
          <br />
          {t.agreesText(verified)}
        </Notice>
      </div>
    )
  const different = result.hours.filter(
    ({ difference, problem }) => problem || difference.traffic !== 0 || difference.storage !== 0,
  )
  return (
    <div className="mt-4 flex flex-col gap-4">
      <Notice tone="bad">
        <strong className="font-semibold">{t.differs}</strong>
        <br />
        {traffic + storage === 0
          ? t.differsNoSum
          : t.differsText(formatPoints(Math.abs(traffic + storage)), traffic + storage > 0)}
        {check.otherKey && <span className="block">{t.otherKey}</span>}
        {invalid.length > 0 && <span className="block">{t.invalidReceipts(invalid)}</span>}
        {check.dayDiffers && <span className="block">{t.dayDiffers}</span>}
      </Notice>
      {different.length > 0 && (
        <table className="w-full text-left text-sm max-sm:block">
          <thead className="text-muted max-sm:block">
            <tr className="border-b border-line max-sm:grid max-sm:grid-cols-3">
              <th scope="col" className="py-2 pr-3 font-medium max-sm:sr-only">
                {t.hour}
              </th>
              {[t.stated, t.computed, t.difference].map((name) => (
                <th key={name} scope="col" className="py-2 text-right font-medium whitespace-nowrap sm:pl-3">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {different.map(({ hour, stated, computed, difference, problem }, index) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: an hour can be stated twice
                key={`${hour} ${index}`}
                className="border-b border-line align-top last:border-b-0 max-sm:grid max-sm:grid-cols-3"
              >
                <td className="py-2 pr-3 max-sm:col-span-3 max-sm:pb-0">
                  <span className="font-mono whitespace-nowrap">{formatHourSpan(hour)}</span>
                  {problem && <span className="block text-xs text-muted">{t.problems[problem]}</span>}
                </td>
                {[
                  formatPoints(stated.traffic + stated.storage),
                  formatPoints(computed.traffic + computed.storage),
                  signed(difference.traffic + difference.storage),
                ].map((text, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: three columns
                  <td key={column} className="py-2 text-right font-mono tabular-nums sm:pl-3">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Link to="/verify" className="inline-flex min-h-7 items-center text-sm text-accent underline">
        {t.toVerify}
      </Link>
    </div>
  )
}

const TEXT_MAX = 1000

function DisputeForm({ statement: { node_id, day }, check }: { statement: Statement; check: DayCheck }) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const { computedHours } = await import('@tidenet/receipts')
      await api('earnings.dispute', { node_id, day, hours: computedHours(check.result), text: text.trim() })
      toast.success(t.disputed)
    } catch (error) {
      toast.error(error)
    }
    refresh('earnings.disputes')
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void send(event)} className="mt-4 flex flex-col items-start gap-3">
      <div className="w-full">
        <Field label={t.disputeText}>
          <TextInput
            render={<textarea rows={3} maxLength={TEXT_MAX} />}
            className={`${inputClass} resize-y`}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" look="primary" busy={busy}>
        {t.dispute}
      </Button>
    </form>
  )
}
