import type { Resources } from '@tidenet/contract/price'
import { useEffect, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'

/** Debounce of price requests. */
const DEBOUNCE_MS = 300

/** The value after it has not changed for `DEBOUNCE_MS`. */
function useDebounced<T>(value: T, same: (one: T, other: T) => boolean): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    if (same(value, debounced)) return
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value, debounced, same])
  return debounced
}

const same = (one: Resources, other: Resources): boolean =>
  one.cpu === other.cpu &&
  one.ram === other.ram &&
  one.storage === other.storage &&
  one.duration === other.duration &&
  one.gpus === other.gpus

/**
 * The server's price of resources, requested once they stop changing.
 * `cost` is undefined until the price of the current values is known.
 */
export function usePrice({ cpu, ram, storage, duration, gpus }: Resources) {
  const current = { cpu, ram, storage, duration, ...(gpus && { gpus }) }
  const debounced = useDebounced(current, same)
  const price = useQuery({ ...query('orders.price', debounced), staleTime: 60_000 })
  const settled = same(current, debounced)
  return {
    cost: settled ? price.data?.cost : undefined,
    error: settled ? price.error : null,
    retry: () => void price.refetch(),
  }
}
