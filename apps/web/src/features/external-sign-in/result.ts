import type { IdentityFailure } from '@tidenet/contract'
import { t } from './texts.ts'

/** How an external sign-in ended: a one-time code to exchange, or a failure. */
export type ExternalSignInResult = { handover: string } | { failure: IdentityFailure }

/** Reads the result from the URL fragment and removes it, so that it is used once; undefined if there is none. */
export function consumeSignInResult(): ExternalSignInResult | undefined {
  const params = new URLSearchParams(location.hash.slice(1))
  const [handover, why] = [params.get('handover'), params.get('identity')]
  if (!handover && !why) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  if (handover) return { handover }
  // Anyone can craft this URL: show only known failures.
  return { failure: Object.hasOwn(t.failures, why ?? '') ? (why as IdentityFailure) : 'refused' }
}
