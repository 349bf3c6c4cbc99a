import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { GatewayConfig } from './config.ts'

/** How long running requests may take after the gateway was told to stop. */
const STOP_WAIT_MS = 5000

export interface Listening {
  port: number
  stop(): Promise<void>
}

/** @param requests `large`: have bodies that take as long as they need */
export async function listen(
  { host, port, tls, idleTimeout }: Pick<GatewayConfig, 'host' | 'port' | 'tls' | 'idleTimeout'>,
  requests: { large: boolean; maxHeaderSize: number },
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response)
  const headersTimeout = Math.min(30_000, idleTimeout)
  const options = {
    keepAliveTimeout: 65_000,
    headersTimeout,
    connectionsCheckingInterval: headersTimeout,
    requestTimeout: requests.large ? 0 : headersTimeout,
    maxHeaderSize: requests.maxHeaderSize,
  }
  const server = tls ? createTlsServer({ ...options, ...tls }, listener) : createServer(options, listener)
  // A body is asked for when it is read: after the signature is known to be right.
  server.on('checkContinue', listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const late = setTimeout(() => server.closeAllConnections(), STOP_WAIT_MS)
      await closed
      clearTimeout(late)
    },
  }
}

/** Aborts when nobody waits for the answer any more. One that waits behind another of its connection has no end of its own. */
export function untilGone({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const end = () => {
    socket.off('close', end)
    gone.abort()
  }
  socket.once('close', end)
  response.once('close', end)
  return gone.signal
}
