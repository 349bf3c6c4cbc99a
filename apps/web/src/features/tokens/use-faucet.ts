import { useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

const REFRESH_MS = 60_000
/** While a claim is pending. */
const PENDING_MS = 1500

/** Faucet state for the linked wallet. `linkedWallet` is undefined while loading and empty if there is none. */
export function useFaucet() {
  const linked = useQuery(query('wallets.bindInfo', {})).data?.keplr
  const figures = useQuery({
    ...query('faucet.distributed', {}),
    enabled: Boolean(linked),
    refetchInterval: ({ state: { data } }) => (data?.claim && data.claim.state !== 'done' ? PENDING_MS : REFRESH_MS),
  })

  // Reload when another wallet is linked.
  const before = useRef(linked)
  useEffect(() => {
    if (before.current && linked && before.current !== linked)
      refresh('faucet.distributed', 'faucet.history', 'faucet.balance')
    before.current = linked
  }, [linked])

  const claim = figures.data?.claim
  const state = useRef(claim?.state)
  useEffect(() => {
    const last = state.current
    state.current = claim?.state
    if (!claim || !last || last === claim.state) return
    refresh('faucet.history', 'faucet.balance')
    if (claim.state === 'done') toast.success(t.claim.arrived(formatNumber(claim.amount)))
  }, [claim])

  return { linked, figures }
}
