import { QUOTE_LIFE } from '@tidenet/contract/exchange'
import { useEffect, useState } from 'react'
import { ProgressBar } from '../../ui/progress.tsx'
import { t } from './texts.ts'

const TICK_MS = 250

/** Seconds until a quote ends, and a bar. @param onOver called once, when it ends */
export function QuoteTimer({ to, onOver }: { to: string; onOver: () => void }) {
  const [now, setNow] = useState(() => Date.now())
  const end = Date.parse(to)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const isOver = now >= end
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the quote matters
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver, to])
  const left = Math.max(0, end - now)
  return (
    <div className="grid gap-1.5">
      <p className="flex items-baseline justify-between gap-3 text-sm">
        <span className="text-muted">{t.confirm.left}</span>
        <span role="timer" className="font-mono tabular-nums">
          {t.confirm.seconds(Math.ceil(left / 1000))}
        </span>
      </p>
      <ProgressBar label={t.confirm.left} value={(left / QUOTE_LIFE) * 100} tone={left < 15_000 ? 'warn' : 'accent'} />
    </div>
  )
}
