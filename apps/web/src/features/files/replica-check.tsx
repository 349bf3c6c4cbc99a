import type { Challenge } from '@tidenet/storage'
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import { formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { t } from './texts.ts'

/** State of a replica check: running, refused by the server, or what this browser got from the node. */
export type CheckState = 'running' | { refusal: string } | Challenge

/** Whether the node answered with something else than the content. What the network does with the copy later changes nothing. */
export const isCorrupt = (state: CheckState | undefined): boolean =>
  typeof state === 'object' &&
  !('refusal' in state) &&
  (state.error === 'wrong' || (state.error === 'missing' && !state.removed))

/** The result of a replica check, in words. @param counted the network still counts the copy, so an audit of it is news */
export function CheckResult({ state, counted }: { state: CheckState | undefined; counted: boolean }) {
  if (!state) return null
  if (state === 'running')
    return (
      <p className="mt-2 flex items-center gap-2 text-muted">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        {t.details.challenging}
      </p>
    )
  if ('refusal' in state) return <Failed title={t.details.unverified}>{state.refusal}</Failed>
  if (state.error === 'missing' && state.removed) return <p className="mt-2 text-muted">{t.details.removedBefore}</p>
  if (state.verified)
    return (
      <div className="mt-2 rounded-lg bg-good-soft px-3 py-2">
        <p className="flex items-center gap-2 font-medium text-good">
          <CircleCheck aria-hidden className="size-4 shrink-0" />
          {t.details.proved(`${formatNumber(state.ms)} ms`)}
        </p>
        <p className="mt-0.5 text-muted">
          {t.details.provedBlock(formatPercent(state.position, 1, 1), formatSize(state.size))}
        </p>
        <p className="mt-0.5 font-mono text-xs break-all text-muted">{state.block}</p>
      </div>
    )
  const reasons = {
    missing: t.details.failedMissing,
    wrong: t.details.failedWrong,
    refused: t.details.failedRefused,
    unreachable: t.details.failedUnreachable,
    '': t.details.failedWrong,
  }
  return (
    <Failed title={isCorrupt(state) ? t.details.corrupt : t.details.unverified} audit={state.audit && counted}>
      {reasons[state.error]}
      {isCorrupt(state) && <span className="mt-0.5 block font-mono text-xs break-all text-muted">{state.block}</span>}
    </Failed>
  )
}

function Failed({ title, audit, children }: { title: string; audit?: boolean; children: React.ReactNode }) {
  return (
    <div className="mt-2 rounded-lg bg-danger-soft px-3 py-2">
      <p className="flex items-center gap-2 font-medium text-danger">
        <CircleX aria-hidden className="size-4 shrink-0" />
        {title}
      </p>
      <p className="mt-0.5 text-text">{children}</p>
      {audit && <p className="mt-0.5 text-muted">{t.details.audited}</p>}
    </div>
  )
}
