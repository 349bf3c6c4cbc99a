import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Handles an HTTP upgrade request. `path` is without its query. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, path: string) => void

const handlers = new WeakMap<FastifyInstance['server'], Map<string, UpgradeHandler>>()

/**
 * Serves a websocket at `path`, or at all paths below it if it ends in `/`. Other upgrade requests get 404: Node closes them itself only
 * while there is no listener.
 */
export function serveUpgrade({ server }: FastifyInstance, path: string, handler: UpgradeHandler): void {
  let paths = handlers.get(server)
  if (!paths) {
    const registered = new Map<string, UpgradeHandler>()
    paths = registered
    handlers.set(server, registered)
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      const requested = (request.url ?? '').split('?')[0] ?? ''
      const [, found] =
        [...registered].find(([each]) => requested === each || (each.endsWith('/') && requested.startsWith(each))) ?? []
      if (found) found(request, socket, head, requested)
      else refuseUpgrade(socket, 404)
    })
  }
  paths.set(path, handler)
}

const REASONS = { 401: 'Unauthorized', 404: 'Not Found', 429: 'Too Many Requests', 502: 'Bad Gateway' } as const

export function refuseUpgrade(socket: Duplex, status: keyof typeof REASONS): void {
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
