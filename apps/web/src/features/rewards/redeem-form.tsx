import type { Output, RouteOf } from '@tidenet/contract'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { pointsIn, problemOf } from './points.ts'
import { t } from './texts.ts'

export type RewardState = Output<RouteOf<'rewards.state'>>

/** Redeems points for reward coins. */
export function RedeemForm({ state }: { state: RewardState }) {
  const { min, rate, hindrance: blockedBy, not_withdrawn: left } = state
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  if (blockedBy === 'chain' || blockedBy === 'coin') return <Notice>{t.hindrances[blockedBy]()}</Notice>

  const points = pointsIn(text)
  const redeem = async (event: FormEvent) => {
    event.preventDefault()
    const problem = problemOf(text, { min, left })
    setWrong(problem && t.problems[problem](problem === 'more' ? left : min))
    setFailure(undefined)
    if (problem || points === undefined) return
    setBusy(true)
    try {
      await api('rewards.redeem', { points })
      toast.success(t.taken(points, formatNumber(points * rate)))
      setText('')
    } catch (error) {
      setFailure(messageOf(error))
    }
    refresh('rewards.state', 'rewards.history')
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void redeem(event)} noValidate>
      <Field label={t.amount} hint={t.rate(formatNumber(rate), min)} error={wrong}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={text}
          disabled={blockedBy !== null}
          onChange={(event) => {
            setText(event.target.value)
            setWrong(undefined)
          }}
        />
      </Field>
      <p className="mt-3 min-h-6 text-sm" aria-live="polite">
        {points !== undefined && blockedBy === null && t.receive(formatNumber(points * rate))}
      </p>
      <Button
        type="submit"
        look="primary"
        className="mt-3 min-h-11 w-full"
        busy={busy}
        disabled={blockedBy !== null}
        aria-describedby={blockedBy ? 'redeem-off' : undefined}
      >
        {t.button}
      </Button>
      {blockedBy && (
        <p id="redeem-off" className="mt-2 text-sm text-muted">
          {t.hindrances[blockedBy](min)}
        </p>
      )}
      {failure && (
        <div className="mt-3">
          <Notice tone="bad" live>
            {failure}
          </Notice>
        </div>
      )}
    </form>
  )
}
