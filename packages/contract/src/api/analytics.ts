import { z } from 'zod'
import { plain } from '../fields.ts'
import { route } from '../route.ts'

/** What may be counted. */
export const COUNTED_EVENTS = ['ext_download'] as const
export const EVENT_LABEL_MAX = 64

export const analytics = {
  event: route({
    method: 'POST',
    path: '/api/v1/portal/event',
    auth: 'public',
    input: z.object({
      name: z.enum(COUNTED_EVENTS),
      source: plain(EVENT_LABEL_MAX).default(''),
      medium: plain(EVENT_LABEL_MAX).default(''),
    }),
    output: z.object({}),
    errors: ['tooManyRequests'],
    limit: 30,
    summary: 'Adds one to the count of a day; neither the address nor anything else of the caller is kept',
  }),
}
