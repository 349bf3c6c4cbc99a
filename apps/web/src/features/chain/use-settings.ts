import { query, useQuery } from '../../lib/queries.ts'

const KEEP_MS = 5 * 60_000

/** What the server says of its chain; asked once in a while. */
export const useChainSettings = () => useQuery({ ...query('chain.settings', {}), staleTime: KEEP_MS })
