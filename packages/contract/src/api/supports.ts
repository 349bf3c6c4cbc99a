import { z } from 'zod'
import { SUPPORT_TEXT_MAX } from '../constants.ts'
import { msg, refuse } from '../fields.ts'
import { route } from '../route.ts'

export const supports = {
  create: route({
    method: 'POST',
    path: '/api/v1/storage/transfer/support',
    repeatable: true,
    auth: 'optional',
    input: z.object({
      trace_id: z.string().min(1).max(80),
      /** What went wrong, in the sender's words. Plain text: control characters are removed. */
      text: z
        .string()
        .trim()
        .max(SUPPORT_TEXT_MAX, refuse('textTooLong', { max: SUPPORT_TEXT_MAX }))
        .default(''),
    }),
    output: msg,
    errors: ['notFound', 'textTooLong', 'tooManyRequests'],
    limit: 20,
    summary: 'Opens a support case for a transfer; sending it again changes nothing until the operators close the case',
  }),
}
