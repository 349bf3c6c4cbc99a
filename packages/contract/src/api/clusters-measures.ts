import { z } from 'zod'
import { int, plain } from '../fields.ts'
import { route } from '../route.ts'
import { LOG_LINES_MAX, USAGE_HOURS_MAX, workloadId } from '../workspaces.ts'

const time = z.iso.datetime({ offset: true }).optional()

/** What programs print and use. */
export const measureOperations = {
  logs: route({
    method: 'GET',
    path: '/api/v1/console/workloads/logs',
    auth: 'console',
    input: z.object({
      id: workloadId,
      lines: int(1, LOG_LINES_MAX).default(500),
      /** Only lines that contain this text; case and colours are ignored. */
      search: plain(200).default(''),
      since: time,
      until: time,
      /** Lines after this number, instead of the last ones. */
      after: int(0).optional(),
    }),
    output: z.object({
      /** Oldest first, including earlier runs. */
      lines: z.array(
        z.object({
          /** Counts from 1 and never changes. */
          n: z.number(),
          at: z.string(),
          /** As printed, with control characters. Cut after 16,384 characters. */
          text: z.string(),
          /** Whether output before it is missing: the program printed more than the cluster keeps between two looks. */
          gap: z.boolean(),
        }),
      ),
      /** The number to continue after. */
      next: z.number(),
      /** Whether more lines match: after `next`, or before the first one. */
      more: z.boolean(),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'Returns or searches the log of a workload, also from before a restart and after its removal',
  }),
  usage: route({
    method: 'GET',
    path: '/api/v1/console/workloads/usage',
    auth: 'console',
    input: z.object({ id: workloadId, hours: int(1, USAGE_HOURS_MAX).default(1) }),
    output: z.object({
      /** Cores in use, and bytes; `received` and `sent` since the start. Oldest first. */
      points: z.array(
        z.object({
          at: z.string(),
          cpu: z.number(),
          memory: z.number(),
          storage: z.number(),
          received: z.number(),
          sent: z.number(),
        }),
      ),
    }),
    errors: ['workloadUnknown'],
    limit: 240,
    summary: 'Returns the resource usage of a workload over time',
  }),
}
