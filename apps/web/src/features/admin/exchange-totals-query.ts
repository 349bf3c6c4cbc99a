import type { Output, RouteOf } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'

const REFRESH_MS = 10_000

export type ExchangeTotals = Output<RouteOf<'admin.exchangeTotals'>>

/** Totals of the points exchange, and the state of partner and chain. */
export const useExchangeTotals = () => useQuery({ ...query('admin.exchangeTotals', {}), refetchInterval: REFRESH_MS })
