import { z } from 'zod'
import { bool, nothing, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** What a browser's WebAuthn answers, as JSON; the server looks closer. */
export const credential = z.looseObject({
  id: plain(2000),
  rawId: plain(2000),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
})
/** What a browser's WebAuthn is asked with, as JSON. */
export const credentialOptions = z.looseObject({ challenge: z.string() })

/** Six digits; blanks between them are taken out. */
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
      /** Since when, or null: off. */
      totp_since: z.string().nullable(),
      recovery_left: z.number(),
      passkey_required: z.boolean(),
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          /** Its maker keeps it on several devices. */
          synced: z.boolean(),
          created_at: z.string(),
          used_at: z.string().nullable(),
        }),
      ),
      /** Changes that ask for a proof are taken until then, or null: one is needed. */
      proved_until: z.string().nullable(),
    }),
    errors: ['userNotFound'],
    summary: 'How the account is entered: password, passkeys, one-time codes, recovery codes',
  }),
  startTotp: route({
    method: 'POST',
    path: '/api/v1/user/totp/start',
    auth: 'session',
    input: nothing,
    /** Base32, and the same as otpauth:// for a QR code. */
    output: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['totpOn', 'proofNeeded'],
    limit: 30,
    summary: 'Makes the key of an authenticator app; it counts once a code of it was shown',
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/api/v1/user/totp/confirm',
    auth: 'session',
    input: z.object({ code: totpCode }),
    output: recovery,
    errors: ['totpOn', 'totpNotStarted', 'secondFactorWrong', 'secondFactorLocked', 'proofNeeded'],
    limit: 60,
    summary: 'Turns one-time codes on; gives ten recovery codes, this once, unless the account has some',
  }),
  endTotp: route({
    method: 'POST',
    path: '/api/v1/user/totp/off',
    auth: 'session',
    input: z.object({ code: totpCode.optional(), recovery: plain(40).optional() }),
    output: nothing,
    errors: ['totpOff', 'secondFactorWrong', 'secondFactorLocked'],
    limit: 60,
    summary: 'Turns one-time codes off, by one of them or by a recovery code',
  }),
  makeRecoveryCodes: route({
    method: 'POST',
    path: '/api/v1/user/recovery_codes',
    auth: 'session',
    input: nothing,
    output: recovery,
    errors: ['noSecondFactor', 'proofNeeded'],
    limit: 30,
    summary: 'Ten new recovery codes, shown this once; those before are worth nothing more',
  }),
  requirePasskey: route({
    method: 'POST',
    path: '/api/v1/user/second_factor/passkey',
    auth: 'session',
    input: z.object({ required: bool }),
    output: recovery,
    errors: ['passkeyMissing', 'proofNeeded'],
    limit: 30,
    summary: 'Whether every sign-in asks for a passkey; gives recovery codes, this once, unless the account has some',
  }),
  complete: route({
    method: 'POST',
    path: '/api/v1/user/second_factor',
    auth: 'public',
    input: z.object({
      /** Of `secondFactorNeeded`; and one of the three. */
      ticket: plain(100),
      code: totpCode.optional(),
      recovery: plain(40).optional(),
      credential: credential.optional(),
    }),
    output: tokens,
    errors: [
      'ticketExpired',
      'secondFactorWrong',
      'secondFactorLocked',
      'passkeyRefused',
      'passkeysUnavailable',
      'incomplete',
    ],
    limit: 120,
    summary: 'The second half of a sign-in: a one-time code, a recovery code or a passkey',
  }),
  prove: route({
    method: 'POST',
    path: '/api/v1/user/prove',
    auth: 'session',
    input: z.object({
      password: z.string().max(200, refuse('proofWrong')).optional(),
      code: totpCode.optional(),
      credential: credential.optional(),
    }),
    /** RFC 3339. */
    output: z.object({ proved_until: z.string() }),
    errors: [
      'proofWrong',
      'signInLocked',
      'secondFactorWrong',
      'secondFactorLocked',
      'passkeyRefused',
      'passkeysUnavailable',
      'incomplete',
    ],
    limit: 60,
    summary: 'Shows once more who is there, for changes of how the account is entered, in the next ten minutes',
  }),
}
