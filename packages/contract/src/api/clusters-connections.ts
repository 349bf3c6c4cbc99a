import { z } from 'zod'
import { bool, int, plain } from '../fields.ts'
import { route } from '../route.ts'
import { workloadId } from '../workspaces.ts'

const ofConnection = ['workloadUnknown', 'workloadStopped'] as const
const ticket = z.object({
  /** Valid once, within 60 seconds. */
  ticket: z.string(),
  expires_at: z.string(),
})

/** Commands in programs, and their ports. */
export const connectionOperations = {
  exec: route({
    method: 'POST',
    path: '/api/v1/console/workloads/exec',
    auth: 'console',
    input: z.object({
      id: workloadId,
      command: z.array(plain(8000)).min(1).max(200),
      /** With a terminal, stdout and stderr are one stream. */
      tty: bool.default(false),
      columns: int(1, 1000).default(80),
      rows: int(1, 1000).default(24),
    }),
    output: ticket,
    errors: ofConnection,
    limit: 240,
    summary: 'Issues a ticket for one command in a workload, which the websocket /api/v1/console/connect starts',
  }),
  forward: route({
    method: 'POST',
    path: '/api/v1/console/workloads/forward',
    auth: 'console',
    input: z.object({ id: workloadId, port: int(1, 65_535) }),
    output: ticket,
    errors: ofConnection,
    limit: 1200,
    summary:
      'Issues a ticket for one TCP connection to a port of a workload, which the websocket /api/v1/console/connect opens',
  }),
}
