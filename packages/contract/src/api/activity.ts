import { z } from 'zod'
import { int } from '../fields.ts'
import { route } from '../route.ts'
import { device, place } from './sessions.ts'

/** What entries of the activity log are about. */
export const ACTIVITY_KINDS = [
  'signIns',
  'account',
  'security',
  'keys',
  'files',
  'shares',
  'devices',
  'containers',
  'orders',
  'other',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** By a session, an API key, a proof without a session (a code, a wallet, a device), the network itself, or an operator. */
export const ACTIVITY_BY = ['session', 'key', 'proof', 'system', 'operator'] as const

const time = z.iso.datetime({ offset: true }).optional()
const filter = z.object({
  kind: z.enum(ACTIVITY_KINDS).optional(),
  /** `from` is inclusive, `to` exclusive. */
  from: time,
  to: time,
})

const entry = z.object({
  id: z.string(),
  /** RFC 3339. */
  at: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  /** An action of the audit log; `signIn`, `signInFailed` with the method as subject; `order.` and an event of an order. */
  action: z.string(),
  subject: z.string(),
  by: z.enum(ACTIVITY_BY),
  /** The name of the API key, if it still exists. */
  key: z.string(),
  /** Null: unknown. */
  device: device.nullable(),
  place,
  done: z.boolean(),
  /** Files and folders that were deleted or restored together; null for other actions. */
  items: z.number().nullable(),
  /** The name of what was published or unpublished, or the source of an import; empty for other actions. */
  about: z.string(),
})
export type ActivityEntry = z.infer<typeof entry>

/** What happened in the caller's own account. */
export const activity = {
  list: route({
    method: 'GET',
    path: '/api/v1/user/activity',
    auth: 'session',
    input: filter.extend({
      /** `next` of the page before. */
      after: z
        .string()
        .regex(/^\d{1,15}\.[0-2]\.\d{1,16}$/)
        .optional(),
      size: int(1, 100).default(30),
    }),
    output: z.object({ list: z.array(entry), next: z.string().nullable() }),
    errors: [],
    summary:
      'Lists sign-ins, changes and orders of the account, newest first. What operators did is named, who they are is not',
  }),
  csv: route({
    method: 'GET',
    path: '/api/v1/user/activity.csv',
    auth: 'session',
    shape: 'raw',
    media: 'text/csv',
    input: filter,
    output: z.string(),
    errors: [],
    limit: 20,
    summary: 'Streams the activity of the account as CSV; cells that a spreadsheet would run as formulas are escaped',
  }),
}
