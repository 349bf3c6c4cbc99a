import type { Resources } from '@tidenet/contract/price'
import { useEffect, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'

/** Ms of rest after which what was chosen is priced. */
const REST = 300

/** A value once it has rested for a while. */
function useRested<T>(value: T, same: (one: T, other: T) => boolean): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    if (same(value, rested)) return
    const timer = setTimeout(() => setRested(value), REST)
    return () => clearTimeout(timer)
  }, [value, rested, same])
  return rested
}

const same = (one: Resources, other: Resources): boolean =>
  one.cpu === other.cpu && one.ram === other.ram && one.storage === other.storage && one.duration === other.duration

/**
 * What resources cost, asked of the server once they stay as they are: of many changes in a row only the last is priced.
 * `cost` belongs to what is wanted now and is undefined until that is known.
 */
export function usePrice({ cpu, ram, storage, duration }: Resources) {
  const wanted = { cpu, ram, storage, duration }
  const rested = useRested(wanted, same)
  const price = useQuery({ ...query('orders.price', rested), staleTime: 60_000 })
  const settled = same(wanted, rested)
  return {
    cost: settled ? price.data?.cost : undefined,
    error: settled ? price.error : null,
    retry: () => void price.refetch(),
  }
}
