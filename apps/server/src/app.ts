import type { FastifyInstance } from 'fastify'
import { consoleCaller } from './compute/console/console-sessions.ts'
import { features } from './features.ts'
import { createAuthenticate } from './identity/sessions/authenticate.ts'
import { readNodeToken } from './network/nodes/node-session.ts'
import { createHttp, type ReceiveTimeouts } from './platform/http/app.ts'
import type { Context } from './portal/context.ts'
import { requireWithinFolders } from './storage/folder-guard/guard.ts'

/** The HTTP application: all operations of the contract and the portal. */
export const createApp = (context: Context, timeouts?: ReceiveTimeouts): Promise<FastifyInstance> =>
  createHttp(
    context,
    features,
    {
      authenticate: authenticateFor(context),
      authorize: (operation, caller, input) => requireWithinFolders(context, operation, caller, input),
    },
    timeouts,
  )

/** Authenticates callers of all kinds. */
export const authenticateFor = (context: Context) =>
  createAuthenticate(context, {
    node: (token) => readNodeToken(context, token),
    console: (token, ip) => consoleCaller(context, token, ip),
  })
