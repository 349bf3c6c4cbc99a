import type { Output, RouteOf, ServiceName, ServiceState } from '@tidenet/contract'

/** The state from the server; `checking` until it answers, `unknown` if it does not. */
export type State = ServiceState | 'checking' | 'unknown'

export interface ServiceStatus {
  state: State
  /** Why the service is unavailable; otherwise empty. */
  reason: string
}

type Services = Output<RouteOf<'portal.services'>>

export const stateOf = (services: Services | undefined, failed: boolean, name: ServiceName): ServiceStatus =>
  services?.list.find((each) => each.name === name) ?? { state: failed ? 'unknown' : 'checking', reason: '' }
