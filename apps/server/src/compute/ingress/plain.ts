import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { hostnameOf, labelOf } from '../workspaces/labels.ts'

const CHALLENGES = '/.well-known/acme-challenge/'
/** Browsers and CAs send one short request; slow ones are nobody's. */
const REQUEST_MS = 10_000
const CONNECTIONS_MAX = 1024

/**
 * What listens on port 80 beside HTTPS: answers the challenges of a CA, and redirects visitors to HTTPS.
 * @param url the public address of all programs
 * @param isKnown whether a host outside of the domain is one of ours
 */
export function createPlainServer(options: {
  url: string
  httpAnswer: (path: string) => Promise<string | undefined>
  isKnown: (host: string) => Promise<boolean>
}): Server {
  const { hostname, port } = new URL(options.url)

  const serve = async ({ method = 'GET', url: path = '/', headers }: IncomingMessage, response: ServerResponse) => {
    if (path.startsWith(CHALLENGES)) {
      const body = await options.httpAnswer(path)
      // A program may order certificates by itself, for a domain that leads here; it cannot.
      return void response
        .writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
        .end(method === 'HEAD' ? '' : body)
    }
    const host = hostnameOf(headers.host ?? '')
    const isOurs = labelOf(host, hostname) !== undefined || (await options.isKnown(host))
    // `OPTIONS *` and `http://elsewhere/` are no paths.
    if (!isOurs || !path.startsWith('/')) return void response.writeHead(404, { 'content-length': 0 }).end()
    response.writeHead(308, { location: `https://${host}${port && `:${port}`}${path}`, 'content-length': 0 }).end()
  }

  const server = createServer((request, response) => {
    request.resume()
    response.on('error', () => response.destroy())
    serve(request, response).catch(() => response.destroy())
  })
  server.maxConnections = CONNECTIONS_MAX
  server.headersTimeout = REQUEST_MS
  server.requestTimeout = REQUEST_MS
  server.setTimeout(REQUEST_MS)
  return server
}
