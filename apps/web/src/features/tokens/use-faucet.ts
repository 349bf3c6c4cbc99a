import { useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

const REFRESH_MS = 60_000
/** While a claim is on its way. */
const PENDING_MS = 1500

/** What the faucet has for the bound wallet; `bound` is undefined until it is known, and empty when there is none. */
export function useFaucet() {
  const bound = useQuery(query('wallets.bindInfo', {})).data?.keplr
  const figures = useQuery({
    ...query('faucet.distributed', {}),
    enabled: Boolean(bound),
    refetchInterval: ({ state: { data } }) => (data?.claim && data.claim.state !== 'done' ? PENDING_MS : REFRESH_MS),
  })

  // Another wallet has other claims.
  const before = useRef(bound)
  useEffect(() => {
    if (before.current && bound && before.current !== bound)
      refresh('faucet.distributed', 'faucet.history', 'faucet.balance')
    before.current = bound
  }, [bound])

  const claim = figures.data?.claim
  const state = useRef(claim?.state)
  useEffect(() => {
    const last = state.current
    state.current = claim?.state
    if (!claim || !last || last === claim.state) return
    refresh('faucet.history', 'faucet.balance')
    if (claim.state === 'done') toast.success(t.claim.arrived(formatNumber(claim.amount)))
  }, [claim])

  return { bound, figures }
}
