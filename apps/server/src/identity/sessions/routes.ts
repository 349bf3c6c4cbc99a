import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listSessions, listSignIns, revokeSessions } from './service.ts'

export function serveSessions(serving: ServerServing, context: Context): void {
  serveModule(serving, 'sessions', {
    list: async (_, { caller }) => ({ sessions: await listSessions(context, caller) }),
    revoke: async (input, { caller, ip }) => ({ ended: await revokeSessions(context, caller, input, { ip }) }),
    signIns: async ({ size }, { caller }) => ({ signIns: await listSignIns(context, caller, size) }),
  })
}
