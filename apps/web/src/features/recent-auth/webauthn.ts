import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { Input, RouteOf } from '@tidenet/contract'
import { api } from '../../lib/api.ts'
import { isServicesVariant } from '../../lib/variant.ts'

const library = () => import('@simplewebauthn/browser')

/** The credential as our API defines it; compatible with the library's types. */
export type Credential = Input<RouteOf<'passkeys.login'>>['credential']

/** The user closed the browser's dialog, or another request replaced it. Not shown as an error. */
export const wasCancelled = (failure: unknown): boolean =>
  failure instanceof Error && ['NotAllowedError', 'AbortError'].includes(failure.name)

/** The device already has a passkey of the account. */
export const isAlreadyRegistered = (failure: unknown): boolean =>
  failure instanceof Error && failure.name === 'InvalidStateError'

/** Passkeys need a secure context and a host name (not an IP address); ours are valid only for the portal's own host. */
export const hasPasskeys = (): boolean =>
  typeof window !== 'undefined' &&
  !isServicesVariant() &&
  window.isSecureContext &&
  typeof window.PublicKeyCredential === 'function' &&
  !/^[\d.]+$|:/.test(window.location.hostname)

/** Creates a passkey in the browser and registers it with the signed-in account. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await library()
  const optionsJSON = (await api('passkeys.addOptions', {})) as unknown as PublicKeyCredentialCreationOptionsJSON
  const made = await startRegistration({ optionsJSON })
  await api('passkeys.add', { name, credential: made as unknown as Credential })
}

/**
 * Requests a passkey from the browser.
 * @param autofill offers it as autofill of the e-mail field instead of a dialog, until another request
 */
export async function requestCredential(options: unknown, autofill = false): Promise<Credential> {
  const { startAuthentication } = await library()
  const shown: AuthenticationResponseJSON = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: autofill,
  })
  return shown as unknown as Credential
}

/** Whether the browser supports passkey autofill. */
export async function supportsAutofill(): Promise<boolean> {
  return hasPasskeys() && (await library()).browserSupportsWebAuthnAutofill()
}

/** Cancels a pending request, such as autofill. */
export async function cancelPasskeyRequest(): Promise<void> {
  ;(await library()).WebAuthnAbortService.cancelCeremony()
}
