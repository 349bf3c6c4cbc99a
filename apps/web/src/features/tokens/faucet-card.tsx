import { useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card, LoadFailed, Notice } from '../../ui/states.tsx'
import { TimeLeft } from '../../ui/time-left.tsx'
import { ClaimProgress } from './claim-progress.tsx'
import { claimStateOf, claimsLeft, type Distributed } from './claim-state.ts'
import { t } from './texts.ts'
import type { useFaucet } from './use-faucet.ts'

const c = t.claim
const again = () => refresh('faucet.distributed')

/** Coins left this hour, time until the next hour, and the claim button. */
export function FaucetCard({ faucet: { linked, figures } }: { faucet: ReturnType<typeof useFaucet> }) {
  const { data } = figures
  if (figures.isError && !data)
    return (
      <Card>
        <LoadFailed title={c.failed} error={figures.error} onRetry={() => void figures.refetch()} />
      </Card>
    )
  return (
    <Card className="p-6">
      <h2 className="font-semibold">{c.left}</h2>
      <p className="mt-2 mb-4 font-mono text-2xl tabular-nums">
        {c.leftOf(data ? formatNumber(data.remaining_amount) : '–', data ? formatNumber(data.hourly_amount) : '–')}
      </p>
      <ProgressBar
        label={c.left}
        value={data ? (data.remaining_amount / data.hourly_amount) * 100 : 0}
        tone={data && data.remaining_amount < data.claim_amount ? 'warn' : 'accent'}
      />
      <dl className="mt-5 grid grid-cols-2 gap-4">
        <div>
          <dt className="text-sm text-muted">{c.next}</dt>
          <dd className="text-lg">{data ? <TimeLeft to={data.next_time} onOver={again} /> : '–'}</dd>
        </div>
        <div>
          <dt className="text-sm text-muted">{c.people}</dt>
          <dd className="text-lg tabular-nums">{data ? c.peopleOf(claimsLeft(data)) : '–'}</dd>
        </div>
      </dl>
      <div className="mt-6">
        {data ? (
          <Claim figures={data} />
        ) : (
          <>
            <Button look="primary" disabled className="min-h-11 w-full" aria-describedby="claim-off">
              {c.button('400')}
            </Button>
            <p id="claim-off" className="mt-2 text-sm text-muted">
              {linked === '' && c.unbound}
            </p>
          </>
        )}
      </div>
    </Card>
  )
}

function Claim({ figures }: { figures: Distributed }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const claimState = claimStateOf(figures)
  const claim = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api('faucet.receive', {})
    } catch (error) {
      setFailure(messageOf(error))
    }
    refresh('faucet.distributed', 'faucet.history')
    setBusy(false)
  }
  return (
    <>
      {claimState === 'claimed' ? (
        <Button look="primary" disabled className="min-h-11 w-full">
          {c.done}
        </Button>
      ) : (
        <Button
          look="primary"
          className="min-h-11 w-full"
          busy={busy}
          disabled={claimState === 'exhausted'}
          onClick={() => void claim()}
        >
          {c.button(formatNumber(figures.claim_amount))}
        </Button>
      )}
      {claimState === 'claimed' && (
        <p className="mt-2 text-sm text-muted">
          {c.nextClaim} <TimeLeft to={figures.next_claim_at} onOver={again} />
        </p>
      )}
      {claimState === 'exhausted' && (
        <p className="mt-2 text-sm text-warn">
          {c.exhausted} <TimeLeft to={figures.next_time} onOver={again} />
        </p>
      )}
      {failure && claimState !== 'claimed' && (
        <div className="mt-3">
          <Notice tone="bad" live>
            {failure}
          </Notice>
        </div>
      )}
      {figures.claim && <ClaimProgress claim={figures.claim} />}
    </>
  )
}
