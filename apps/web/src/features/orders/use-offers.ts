import { query, useQuery } from '../../lib/queries.ts'

/** What is sold at present and on which terms. */
export const useOffers = () => useQuery({ ...query('orders.offers', {}), staleTime: 30_000, refetchInterval: 60_000 })

/** The name of the coin that orders are paid with. */
export function useSymbol(): string {
  const offers = useOffers()
  return offers.data?.token.symbol ?? 'cTNT'
}
