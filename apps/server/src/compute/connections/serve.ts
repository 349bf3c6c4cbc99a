import { setTimeout as wait } from 'node:timers/promises'
import {
  AppError,
  CONNECT_FRAME_MAX,
  CONNECT_PATH,
  CONNECT_PROTOCOL,
  CONNECTIONS_MAX,
  TERMINAL_CLOSES,
} from '@tidenet/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ServerServing } from '../../platform/http/serving.ts'
import { refuseUpgrade, serveUpgrade } from '../../platform/http/upgrades.ts'
import { ClusterError } from '../clusters/driver.ts'
import type { Context } from '../context.ts'
import { createCounter, takeAll } from '../counter.ts'
import { requireTarget } from '../workspaces/workloads.ts'
import { serveExec } from './exec.ts'
import { serveForward } from './forward.ts'
import { clientAddresses, closeCodeFor, closeSocket, isOwnOrigin, tokenOf, watchSocket } from './sockets.ts'
import { takeTicket } from './tickets.ts'
import { type Sessions, watchConnections } from './watch.ts'

const KEEP_ALIVE_MS = 30_000
const CLOSE_TIMEOUT_MS = 1000
const STOP_TIMEOUT_MS = 3000

/**
 * Commands and forwarded ports by websocket, see `CONNECT_PATH`. The ticket, which is a subprotocol, says which. A connection ends with
 * the session that issued its ticket, and when its workload is stopped or its order ends.
 */
export function serveConnections({ app }: ServerServing, context: Context, sessions: Sessions): void {
  const watch = watchConnections(context, sessions)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: CONNECT_FRAME_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(CONNECT_PROTOCOL) ? CONNECT_PROTOCOL : false),
  })
  const ipOf = clientAddresses(context)
  const accounts = createCounter(CONNECTIONS_MAX.account)
  const workspaces = createCounter(CONNECTIONS_MAX.workspace)
  const running = new Set<Promise<void>>()

  async function serveConnection(socket: WebSocket, token: string, ip: string): Promise<void> {
    // Input waits until the program has started.
    socket.pause()
    socket.on('error', () => socket.terminate())
    const ticket = await takeTicket(context, token)
    const caller = ticket && (await sessions.callerOfSession(context, ticket.session, ip))
    if (!ticket || !caller) return closeSocket(socket, TERMINAL_CLOSES.session)
    const { driver, ref } = await requireTarget(context, caller, ticket.workload)
    const release = takeAll([accounts.take(String(caller.userId)), workspaces.take(ref.workspace)])
    if (!release) return closeSocket(socket, TERMINAL_CLOSES.tooMany)
    if (socket.readyState !== socket.OPEN) return release()
    socket.once('close', release)
    const { session, userId } = caller
    const end = (reason: 'session' | 'stopped') => {
      closeSocket(socket, TERMINAL_CLOSES[reason])
      // For clients that do not answer the close frame.
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref()
    }
    socket.once('close', watch.add({ session, ip, userId, workload: ticket.workload, end }))
    watchSocket(socket, true)
    const { action } = ticket
    if (action.kind === 'exec') await serveExec(socket, { driver, ref }, action)
    else await serveForward(socket, await driver.addressOf(ref, action.port))
  }

  serveUpgrade(app, CONNECT_PATH, (request, socket, head) => {
    const token = tokenOf(request, CONNECT_PROTOCOL)
    if (token === undefined || !isOwnOrigin(request, context)) return refuseUpgrade(socket, 401)
    request.socket.setKeepAlive(true, KEEP_ALIVE_MS)
    sockets.handleUpgrade(request, socket as never, head, (client) => {
      const connection = serveConnection(client, token, ipOf(request))
        .catch((error: unknown) => {
          closeSocket(client, closeCodeFor(error))
          if (!(error instanceof AppError) && !(error instanceof ClusterError))
            context.log.error({ err: error }, 'a connection to a program failed')
        })
        .finally(() => running.delete(connection))
      running.add(connection)
    })
  })
  // Not onClose: the HTTP server waits for its connections before that.
  app.addHook('preClose', async () => {
    sockets.close()
    for (const client of sockets.clients) client.terminate()
    await Promise.race([Promise.all(running), wait(STOP_TIMEOUT_MS, undefined, { ref: false })])
  })
}
