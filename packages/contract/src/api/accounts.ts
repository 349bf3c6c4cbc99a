import { z } from 'zod'
import { PASSWORD_MAX, PASSWORD_MIN } from '../constants.ts'
import { email, emailedCode, msg, nothing, refuse } from '../fields.ts'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { walletAddress, walletBytes } from './wallets.ts'

const username = email
const code = emailedCode
const password = z
  .string({ error: refuse('incomplete') })
  .min(1, refuse('incomplete'))
  .max(200, refuse('passwordLength', { min: PASSWORD_MIN, max: PASSWORD_MAX }))
const tokens = z.object({
  token: z.string(),
  /** RFC 3339. */
  expire: z.string(),
})

export const accounts = {
  /** Purposes: 1 register, 2 login, 3 password reset, 5 node removal. */
  verifyCode: route({
    method: 'POST',
    path: '/api/v1/user/verify_code',
    aliases: ['/api/v1/storage/get_verify_code'],
    auth: 'public',
    input: z.object({ username, type: z.coerce.number().int() }),
    output: msg,
    errors: ['codeKind', 'codeTooSoon', 'tooManyCodes', 'emailMissing', 'emailInvalid'],
    limit: 60,
    summary: 'Sends a six-digit verification code by e-mail, valid for five minutes',
  }),
  register: route({
    method: 'POST',
    path: '/api/v1/user/register',
    aliases: ['/api/v1/storage/register'],
    auth: 'public',
    input: z.object({ username, password, verify_code: code, referrer: z.string().max(64).optional() }),
    output: msg,
    errors: [
      'emailExists',
      'invalidCode',
      'codeExpired',
      'codeLocked',
      'emailMissing',
      'emailInvalid',
      'incomplete',
      'passwordCharacters',
      'passwordLength',
      'passwordWeak',
    ],
    limit: 60,
    summary: 'Creates an account with e-mail address, verification code and password',
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/v1/user/password_reset',
    aliases: ['/api/v1/storage/password_reset'],
    auth: 'public',
    input: z.object({ username, password, verify_code: code }),
    output: msg,
    errors: [
      'nameNotExists',
      'invalidCode',
      'codeExpired',
      'codeLocked',
      'emailMissing',
      'emailInvalid',
      'incomplete',
      'passwordCharacters',
      'passwordLength',
      'passwordWeak',
    ],
    limit: 60,
    summary: 'Sets a new password with a verification code and ends all sessions of the account',
  }),
  login: route({
    method: 'POST',
    path: '/api/v1/user/login',
    aliases: ['/api/v1/storage/login', '/api/v2/login'],
    auth: 'public',
    input: z.object({
      username: z
        .string({ error: refuse('emailMissing') })
        .trim()
        .toLowerCase()
        .min(1, refuse('emailMissing'))
        .max(254, refuse('emailInvalid'))
        .regex(/^\P{Cc}*$/u, refuse('emailInvalid')),
      password: z
        .string({ error: refuse('incomplete') })
        .max(200, refuse('signInFailed'))
        .optional(),
      verify_code: z
        .string({ error: refuse('invalidCode') })
        .trim()
        .regex(/^(\d{6})?$/, refuse('invalidCode'))
        .optional(),
      /** Wallet sign-in: `username` is the address, `sign` signs the message of `login_before`; 0x wallets send no `publicKey`. */
      sign: walletBytes.optional(),
      publicKey: walletBytes.optional(),
      /** Must equal `username`. */
      address: walletAddress.or(z.literal('')).optional(),
    }),
    output: tokens,
    refuses401: true,
    errors: [
      'signInFailed',
      'signInLocked',
      'secondFactorNeeded',
      'nameNotExists',
      'invalidCode',
      'codeExpired',
      'codeLocked',
      'emailMissing',
      'emailInvalid',
      'incomplete',
      'walletAddress',
      'walletSignature',
      'signInMessageExpired',
      'walletCooldown',
    ],
    limit: 120,
    summary:
      'Signs in with a wallet, a verification code or a password. The first sign-in of a wallet creates an account. Errors are `{ code: 401, msg }`; an account with a second factor gets `secondFactorNeeded` with a ticket',
  }),
  logout: route({
    method: 'POST',
    path: '/api/v1/user/logout',
    aliases: ['/api/v1/storage/logout', '/api/v2/logout'],
    auth: 'optional',
    input: nothing,
    output: nothing,
    errors: [],
    summary: 'Signs out: ends the session of the token',
  }),
  refresh: route({
    method: 'GET',
    path: '/api/v1/user/refresh_token',
    aliases: ['/api/v1/storage/refresh_token'],
    auth: 'session',
    input: nothing,
    output: tokens,
    errors: ['sessionExpired'],
    summary: 'Issues a new token for the session, up to seven days after the sign-in',
  }),
  info: route({
    method: 'POST',
    path: '/api/v1/user/info',
    repeatable: true,
    auth: 'any',
    input: nothing,
    output: z.object({
      uuid: z.string(),
      username: z.string(),
      user_email: z.string(),
      wallet_address: z.string(),
      role: z.number(),
      vip: z.boolean(),
      allocate_storage: z.number(),
      created_at: z.string(),
    }),
    errors: ['userNotFound'],
    summary: 'Returns the profile of the account',
  }),
  vipInfo: route({
    method: 'GET',
    path: '/api/v1/storage/get_vip_info',
    auth: 'any',
    input: nothing,
    output: z.object({
      uid: z.string(),
      vip: z.boolean(),
      account: z.string(),
      role: z.enum(ROLES),
      /** RFC 3339: from when the account is deleted; '' unless its owner asked for that. */
      closing_at: z.string().default(''),
    }),
    errors: [],
    summary: 'Returns the account of the token and whether it is a VIP',
  }),
}
