import type { ServiceName } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'
import { type Stated, stateOf } from './states.ts'

/** What the server measured of its services. */
export const useServices = () =>
  useQuery({ ...query('portal.services', {}), staleTime: 30_000, refetchInterval: 60_000 })

/** Looks services up in what the server measured. */
export function useStates(): (name: ServiceName) => Stated {
  const { data, isError } = useServices()
  return (name) => stateOf(data, isError, name)
}
