import { useInfiniteQuery as baseInfiniteQuery, useQueries as baseQueries } from '@tanstack/react-query'
import { queries } from './queries.ts'

// Separate from lib/queries.ts, because only the list of files needs this code.
export const useQueries = ((options) => baseQueries(options, queries)) as typeof baseQueries
export const useInfiniteQuery = ((options) => baseInfiniteQuery(options, queries)) as typeof baseInfiniteQuery
