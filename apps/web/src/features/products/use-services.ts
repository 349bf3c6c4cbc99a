import type { ServiceName } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'
import { type ServiceStatus, stateOf } from './states.ts'

/** The service states from the server. */
export const useServices = () =>
  useQuery({ ...query('portal.services', {}), staleTime: 30_000, refetchInterval: 60_000 })

export function useStates(): (name: ServiceName) => ServiceStatus {
  const { data, isError } = useServices()
  return (name) => stateOf(data, isError, name)
}
