import { useInfiniteQuery as baseInfiniteQuery, useQueries as baseQueries } from '@tanstack/react-query'
import { queries } from './queries.ts'

// Apart from lib/queries.ts: only the files ask like this, and other pages need not carry what it takes.
export const useQueries = ((options) => baseQueries(options, queries)) as typeof baseQueries
export const useInfiniteQuery = ((options) => baseInfiniteQuery(options, queries)) as typeof baseInfiniteQuery
