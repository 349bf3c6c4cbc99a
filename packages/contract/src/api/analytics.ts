import { z } from 'zod'
import { plain } from '../fields.ts'
import { route } from '../route.ts'

export const ANALYTICS_EVENTS = ['ext_download'] as const
export const EVENT_LABEL_MAX = 64

export const analytics = {
  event: route({
    method: 'POST',
    path: '/api/v1/portal/event',
    auth: 'public',
    input: z.object({
      name: z.enum(ANALYTICS_EVENTS),
      source: plain(EVENT_LABEL_MAX).default(''),
      medium: plain(EVENT_LABEL_MAX).default(''),
    }),
    output: z.object({}),
    errors: ['tooManyRequests'],
    limit: 30,
    summary: 'Counts an event by day; no IP address or other data of the caller is stored',
  }),
}
