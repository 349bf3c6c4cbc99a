import { query, useQuery } from '../../lib/queries.ts'

const STALE_MS = 5 * 60_000

/** Settings of the chain, cached for five minutes. */
export const useChainSettings = () => useQuery({ ...query('chain.settings', {}), staleTime: STALE_MS })
