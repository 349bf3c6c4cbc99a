import { z } from 'zod'
import { email, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'

export const LEAD_KINDS = [
  'aiproxy',
  'aidata',
  'pcdn',
  'containers',
  'exchange',
  'feedback',
  'support',
  'contact',
] as const
export type LeadKind = (typeof LEAD_KINDS)[number]
export const LEAD_NAME_MAX = 100
export const LEAD_TEXT_MAX = 4000

// biome-ignore lint/suspicious/noControlCharactersInRegex: must not contain them
const oneLine = /^[^\u0000-\u001f\u007f]*$/

export const leads = {
  create: route({
    method: 'POST',
    path: '/api/v1/portal/leads',
    auth: 'public',
    input: z.object({
      kind: z.enum(LEAD_KINDS),
      name: z
        .string({ error: refuse('contactNameMissing') })
        .trim()
        .min(1, refuse('contactNameMissing'))
        .max(LEAD_NAME_MAX, refuse('nameTooLong', { max: LEAD_NAME_MAX }))
        .regex(oneLine, refuse('nameForbidden')),
      email,
      organisation: z
        .string()
        .trim()
        .max(LEAD_NAME_MAX, refuse('nameTooLong', { max: LEAD_NAME_MAX }))
        .regex(oneLine, refuse('nameForbidden'))
        .default(''),
      text: z
        .string({ error: refuse('textMissing') })
        .trim()
        .min(1, refuse('textMissing'))
        .max(LEAD_TEXT_MAX, refuse('textTooLong', { max: LEAD_TEXT_MAX })),
      /** The sender's language, `zh`, `cn` or `en`; default: the language of the request. */
      lang: plain(10).optional(),
    }),
    output: z.object({ msg: z.string() }),
    errors: [
      'contactNameMissing',
      'nameTooLong',
      'nameForbidden',
      'emailMissing',
      'emailInvalid',
      'textMissing',
      'textTooLong',
      'tooManyRequests',
    ],
    limit: 5,
    summary: 'Sends a contact request to the operators; the sender gets a confirmation by e-mail',
  }),
}
