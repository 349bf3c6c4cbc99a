import { query, useQuery } from '../../lib/queries.ts'

/** Regions, chain state and terms for new orders. */
export const useOffers = () => useQuery({ ...query('orders.offers', {}), staleTime: 30_000, refetchInterval: 60_000 })

/** Symbol of the coin that pays for orders. */
export function useSymbol(): string {
  const offers = useOffers()
  return offers.data?.token.symbol ?? 'cTNT'
}
