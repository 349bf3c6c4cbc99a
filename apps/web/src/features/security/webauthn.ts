import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { Input, RouteOf } from '@tidenet/contract'
import { api } from '../../lib/api.ts'
import { isServicesVariant } from '../../lib/variant.ts'

const library = () => import('@simplewebauthn/browser')

/** What the operations take; the library's types say the same in other words. */
export type Credential = Input<RouteOf<'passkeys.login'>>['credential']

/** The person closed the browser's window, or another question took its place: nothing to tell. */
export const wasCancelled = (failure: unknown): boolean =>
  failure instanceof Error && ['NotAllowedError', 'AbortError'].includes(failure.name)

/** The device says that it holds a passkey of the account already. */
export const isHeldAlready = (failure: unknown): boolean =>
  failure instanceof Error && failure.name === 'InvalidStateError'

/** Browsers have passkeys on named hosts alone, reached by https or on this machine; ours are those of the portal's own host. */
export const hasPasskeys = (): boolean =>
  typeof window !== 'undefined' &&
  !isServicesVariant() &&
  window.isSecureContext &&
  typeof window.PublicKeyCredential === 'function' &&
  !/^[\d.]+$|:/.test(window.location.hostname)

/** Has the browser make a passkey for who is signed in, and keeps it. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await library()
  const optionsJSON = (await api('passkeys.addOptions', {})) as unknown as PublicKeyCredentialCreationOptionsJSON
  const made = await startRegistration({ optionsJSON })
  await api('passkeys.add', { name, credential: made as unknown as Credential })
}

/**
 * Has the browser show a passkey.
 * @param quietly offers it in the field for the address instead of a window, until something else is asked for
 */
export async function showPasskey(options: unknown, quietly = false): Promise<Credential> {
  const { startAuthentication } = await library()
  const shown: AuthenticationResponseJSON = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: quietly,
  })
  return shown as unknown as Credential
}

/** Whether the browser can offer passkeys in a field. */
export async function offersInField(): Promise<boolean> {
  return hasPasskeys() && (await library()).browserSupportsWebAuthnAutofill()
}

/** Takes back a question that stands open, such as the one in the field. */
export async function stopAsking(): Promise<void> {
  ;(await library()).WebAuthnAbortService.cancelCeremony()
}
