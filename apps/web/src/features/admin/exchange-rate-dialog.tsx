import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { parseAmount } from '../wallet/amounts.ts'
import { t } from './exchange-texts.ts'
import type { ExchangeTotals } from './exchange-totals-query.ts'
import { ReasonDialog } from './reason-dialog.tsx'

const r = t.rate

const integer = (text: string, least: number, most: number): number | undefined => {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** Sets the rate of new quotes. */
export function ExchangeRateDialog({ rate, onClose }: { rate: ExchangeTotals['rate']; onClose: () => void }) {
  const [usd, setUsd] = useState(rate.usd_per_tnt4)
  const [credits, setCredits] = useState(String(rate.credits_per_usd))
  const [discount, setDiscount] = useState(String(rate.discount))
  const price = parseAmount(usd, 4)
  const perTnt4 = typeof price === 'bigint' && price > 0n && price <= 1_000_000_000n ? Number(price) : undefined
  const perUsd = integer(credits, 1, 1_000_000)
  const percent = integer(discount, 0, 99)
  return (
    <ReasonDialog
      title={r.title}
      text={r.text}
      confirm={r.confirm}
      validate={() =>
        perTnt4 === undefined
          ? r.usdWrong
          : perUsd === undefined
            ? r.creditsWrong
            : percent === undefined
              ? r.discountWrong
              : undefined
      }
      act={async (reason) => {
        await api('admin.exchangeRate', {
          usd_per_tnt4: perTnt4 ?? 0,
          credits_per_usd: perUsd ?? 0,
          discount: percent ?? 0,
          reason,
        })
        refresh('admin.exchangeTotals', 'exchange.rate', 'admin.audit')
        return undefined
      }}
      onClose={onClose}
    >
      <NumberField label={r.usd} value={usd} onChange={setUsd} />
      <NumberField label={r.credits} value={credits} onChange={setCredits} />
      <NumberField label={r.discount} value={discount} onChange={setDiscount} />
    </ReasonDialog>
  )
}

const NumberField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (text: string) => void
}) => (
  <Field label={label}>
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      className="font-mono tabular-nums"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
)
