import { z } from 'zod'
import { email, msg, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** The e-mail address of an account. */
export const emails = {
  sendCode: route({
    method: 'POST',
    path: '/api/v1/user/email/code',
    auth: 'session',
    input: z.object({ email }),
    output: msg,
    errors: ['recentAuthRequired', 'emailMissing', 'emailInvalid', 'emailSame', 'codeTooSoon', 'tooManyCodes'],
    limit: 60,
    summary:
      'Sends a code to a new e-mail address of the account. Only this account can use it. Needs recent authentication',
  }),
  change: route({
    method: 'POST',
    path: '/api/v1/user/email',
    auth: 'session',
    input: z.object({
      email,
      verify_code: z
        .string({ error: refuse('invalidCode') })
        .trim()
        .regex(/^\d{6}$/, refuse('invalidCode')),
    }),
    output: msg,
    errors: [
      'recentAuthRequired',
      'emailMissing',
      'emailInvalid',
      'emailSame',
      'emailExists',
      'invalidCode',
      'codeExpired',
      'codeLocked',
    ],
    limit: 60,
    summary:
      'Adds or changes the e-mail address of the account with a code that was sent there. The old address can undo the change for seven days',
  }),
  undo: route({
    method: 'POST',
    path: '/api/v1/user/email/undo',
    auth: 'public',
    input: z.object({
      /** From the link in the e-mail to the old address. */
      token: z.string({ error: refuse('emailUndoExpired') }).regex(/^[\w-]{43}$/, refuse('emailUndoExpired')),
    }),
    output: msg,
    errors: ['emailUndoExpired', 'emailExists'],
    limit: 60,
    summary:
      'Restores the former e-mail address: ends all sessions, and removes the password and what was added since the change to sign in with',
  }),
}
