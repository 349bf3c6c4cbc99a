import type { IdentityFailure } from '@tidenet/contract'
import { t } from './texts.ts'

/** With what another service sent the browser back. */
export type Returned = { handover: string } | { failure: IdentityFailure }

/** Reads it from the address and takes it out of there, so that it counts once; undefined on every other visit. */
export function takeReturned(): Returned | undefined {
  const told = new URLSearchParams(location.hash.slice(1))
  const [handover, why] = [told.get('handover'), told.get('identity')]
  if (!handover && !why) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  if (handover) return { handover }
  // Anybody can write such an address; what it says is one of our own sentences or the most general of them.
  return { failure: Object.hasOwn(t.failures, why ?? '') ? (why as IdentityFailure) : 'refused' }
}
