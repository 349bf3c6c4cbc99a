import { Link } from '@tanstack/react-router'
import { CircleCheck, Coins, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { focusOnMount } from '../../lib/focus.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import type { ExchangeWallet } from './exchange-wallet.ts'
import { t } from './texts.ts'
import { formatTnt4 } from './use-terms.ts'

const w = t.wallet

/** Claims TNT4 of the test network. @param amount TNT4 per claim */
export function TestCoins({
  wallet: { claim, can_claim: canClaim },
  amount,
}: {
  wallet: ExchangeWallet
  amount: number
}) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [claimed, setClaimed] = useState(false)
  const fund = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api('exchange.testCoins', {})
      setClaimed(true)
    } catch (error) {
      setFailure(messageOf(error))
    }
    refresh('exchange.wallet')
    setBusy(false)
  }
  const isPending = claim && claim.state !== 'done'
  const Icon = isPending ? LoaderCircle : CircleCheck
  return (
    <>
      {canClaim ? (
        <div>
          <Button icon={<Coins aria-hidden className="size-4" />} busy={busy} onClick={() => void fund()}>
            {w.fund(formatTnt4(String(amount)))}
          </Button>
          <p className="mt-1.5 text-muted">{w.fundText}</p>
        </div>
      ) : (
        claim && (
          <p
            ref={claimed ? focusOnMount : undefined}
            tabIndex={-1}
            role="status"
            className="flex flex-wrap items-center gap-x-2 gap-y-1 outline-none"
          >
            <Icon
              aria-hidden
              className={
                isPending ? 'size-4 shrink-0 text-signal motion-safe:animate-spin' : 'size-4 shrink-0 text-good'
              }
            />
            <span>
              {formatTnt4(String(claim.amount))}: {w.funding[claim.state]}
            </span>
            {claim.hash && (
              <Link
                to="/chain/tx/$hash"
                params={{ hash: claim.hash }}
                className="inline-flex min-h-6 items-center text-accent underline underline-offset-3"
              >
                {w.seeTransaction}
              </Link>
            )}
            {!isPending && <span className="basis-full text-muted">{w.fundedToday}</span>}
          </p>
        )
      )}
      {failure && (
        <Notice tone="bad" live>
          {failure}
        </Notice>
      )}
    </>
  )
}
