import { Link } from '@tanstack/react-router'
import type { Claim } from '@tidenet/contract'
import { CircleCheck, LoaderCircle } from 'lucide-react'
import { query, useQuery } from '../../lib/queries.ts'
import { t } from './texts.ts'

const c = t.claim

/** State of today's claim. */
export function ClaimProgress({ claim: { state, hash } }: { claim: Claim }) {
  const balance = useQuery(query('faucet.balance', {}))
  const done = state === 'done'
  return (
    <div role="status" className="mt-4 flex gap-2.5 border-t border-line pt-4 text-sm">
      {done ? (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
      ) : (
        <LoaderCircle aria-hidden className="mt-0.5 size-4 shrink-0 text-signal motion-safe:animate-spin" />
      )}
      <p>
        {!done && balance.isError ? c.kept : c.progress[state]}{' '}
        {hash !== '' && (
          <Link to="/chain/tx/$hash" params={{ hash }} className="text-accent underline underline-offset-3">
            {c.see}
          </Link>
        )}
      </p>
    </div>
  )
}
