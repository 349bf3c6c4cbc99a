import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Takes over the connection of a caller who asks to speak otherwise than by HTTP. `path` is without its query. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, path: string) => void

const takers = new WeakMap<FastifyInstance['server'], Map<string, Upgrade>>()

/**
 * Serves a websocket: at `path` itself, or below it when it ends in `/`. What nobody serves is refused, as it must be by somebody once
 * there is any listener at all.
 */
export function serveUpgrade({ server }: FastifyInstance, path: string, take: Upgrade): void {
  let paths = takers.get(server)
  if (!paths) {
    const known = new Map<string, Upgrade>()
    paths = known
    takers.set(server, known)
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      const asked = (request.url ?? '').split('?')[0] ?? ''
      const [, found] =
        [...known].find(([each]) => asked === each || (each.endsWith('/') && asked.startsWith(each))) ?? []
      if (found) found(request, socket, head, asked)
      else refuseUpgrade(socket, 404)
    })
  }
  paths.set(path, take)
}

const REASONS = { 401: 'Unauthorized', 404: 'Not Found', 429: 'Too Many Requests', 502: 'Bad Gateway' } as const

export function refuseUpgrade(socket: Duplex, status: keyof typeof REASONS): void {
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
