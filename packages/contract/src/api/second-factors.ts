import { z } from 'zod'
import { bool, nothing, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** The WebAuthn answer of a browser, as JSON; the server verifies it. */
export const credential = z.looseObject({
  id: plain(2000),
  rawId: plain(2000),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
})
/** WebAuthn options as JSON. */
export const credentialOptions = z.looseObject({ challenge: z.string() })

/** Six digits; spaces are removed. */
const totpCode = z
  .string({ error: refuse('secondFactorWrong') })
  .max(40, refuse('secondFactorWrong'))
  .transform((text) => text.replaceAll(/\s/g, ''))
  .refine((text) => /^\d{6}$/.test(text), refuse('secondFactorWrong'))

const tokens = z.object({ token: z.string(), expire: z.string() })
const recovery = z.object({ recovery: z.array(z.string()) })

export const secondFactors = {
  overview: route({
    method: 'GET',
    path: '/api/v1/user/security',
    auth: 'session',
    input: nothing,
    output: z.object({
      password: z.boolean(),
      email: z.boolean(),
      /** Null: off. */
      totp_since: z.string().nullable(),
      recovery_left: z.number(),
      passkey_required: z.boolean(),
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          /** Whether it is synchronized between devices. */
          synced: z.boolean(),
          created_at: z.string(),
          used_at: z.string().nullable(),
        }),
      ),
      /** End of the recent authentication; null: the identity has to be verified again. */
      proved_until: z.string().nullable(),
    }),
    errors: ['userNotFound'],
    summary: 'Returns the sign-in methods: password, passkeys, one-time codes and recovery codes',
  }),
  startTotp: route({
    method: 'POST',
    path: '/api/v1/user/totp/start',
    auth: 'session',
    input: nothing,
    /** Base32 secret, and an otpauth:// URI with it for a QR code. */
    output: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['totpOn', 'recentAuthRequired'],
    limit: 30,
    summary: 'Creates a secret for an authenticator app; `totp/confirm` activates it',
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/api/v1/user/totp/confirm',
    auth: 'session',
    input: z.object({ code: totpCode }),
    output: recovery,
    errors: ['totpOn', 'totpNotStarted', 'secondFactorWrong', 'secondFactorLocked', 'recentAuthRequired'],
    limit: 60,
    summary: 'Turns one-time codes on; returns ten recovery codes once, unless the account already has some',
  }),
  endTotp: route({
    method: 'POST',
    path: '/api/v1/user/totp/off',
    auth: 'session',
    input: z.object({ code: totpCode.optional(), recovery: plain(40).optional() }),
    output: nothing,
    errors: ['totpOff', 'secondFactorWrong', 'secondFactorLocked'],
    limit: 60,
    summary: 'Turns one-time codes off, with a one-time code or a recovery code',
  }),
  makeRecoveryCodes: route({
    method: 'POST',
    path: '/api/v1/user/recovery_codes',
    auth: 'session',
    input: nothing,
    output: recovery,
    errors: ['noSecondFactor', 'recentAuthRequired'],
    limit: 30,
    summary: 'Creates ten new recovery codes, returned once; earlier ones stop working',
  }),
  requirePasskey: route({
    method: 'POST',
    path: '/api/v1/user/second_factor/passkey',
    auth: 'session',
    input: z.object({ required: bool }),
    output: recovery,
    errors: ['passkeyMissing', 'recentAuthRequired'],
    limit: 30,
    summary:
      'Sets whether every sign-in requires a passkey; returns recovery codes once, unless the account already has some',
  }),
  complete: route({
    method: 'POST',
    path: '/api/v1/user/second_factor',
    auth: 'public',
    input: z.object({
      /** Second-factor token of `secondFactorNeeded`; sent with one of the three fields below. */
      ticket: plain(100),
      code: totpCode.optional(),
      recovery: plain(40).optional(),
      credential: credential.optional(),
    }),
    output: tokens,
    errors: [
      'signInExpired',
      'secondFactorWrong',
      'secondFactorLocked',
      'passkeyRefused',
      'passkeysUnavailable',
      'incomplete',
    ],
    limit: 120,
    summary: 'Completes a sign-in with a one-time code, a recovery code or a passkey',
  }),
  prove: route({
    method: 'POST',
    path: '/api/v1/user/prove',
    auth: 'session',
    input: z.object({
      password: z.string().max(200, refuse('recentAuthFailed')).optional(),
      code: totpCode.optional(),
      credential: credential.optional(),
    }),
    /** RFC 3339. */
    output: z.object({ proved_until: z.string() }),
    errors: [
      'recentAuthFailed',
      'signInLocked',
      'secondFactorWrong',
      'secondFactorLocked',
      'passkeyRefused',
      'passkeysUnavailable',
      'incomplete',
    ],
    limit: 60,
    summary: 'Verifies the identity again: the session counts as recently authenticated for ten minutes',
  }),
}
