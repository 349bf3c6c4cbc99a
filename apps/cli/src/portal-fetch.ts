import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { VERSION } from './version.ts'

/** Idle connections do not keep the process alive. */
const plain = new http.Agent({ keepAlive: true })
const secure = new https.Agent({ keepAlive: true })
/** The portal shows it as the device of sign-ins. */
const AGENT = `tidenet-cli/${VERSION}`
const REDIRECTS = [301, 302, 303, 307, 308]

/** What the SDK reads of a response. */
type Answer = Pick<Response, 'ok' | 'status' | 'text' | 'blob'> & { headers: Pick<Headers, 'get'> }

/**
 * Calls of the portal without the `fetch` of Node.js, whose start takes as long as a fifth of a short command. A redirect is left to it.
 */
export const portalFetch = (async (address: string, given: RequestInit = {}) => {
  const init = { ...given, headers: { 'user-agent': AGENT, ...(given.headers as Record<string, string>) } }
  const answer = await ask(address, init).catch((error: unknown) => {
    if (error instanceof Stale) return ask(address, init)
    throw error
  })
  return answer ?? fetch(address, init)
}) as typeof fetch

/** The portal closed an idle connection just when it was used again. */
class Stale extends Error {}

function ask(address: string, init: RequestInit): Promise<Answer | undefined> {
  const isSecure = address.startsWith('https:')
  const body = typeof init.body === 'string' ? init.body : ''
  const options = {
    method: init.method ?? 'GET',
    headers: {
      ...(init.headers as Record<string, string>),
      'accept-encoding': 'gzip',
      ...(init.method === 'POST' && { 'content-length': Buffer.byteLength(body) }),
    },
    agent: isSecure ? secure : plain,
    ...(init.signal && { signal: init.signal }),
  }
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(address, options)
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
      reject(isStale ? new Stale(error.message, { cause: error }) : error)
    })
    request.on('response', (response) => {
      const isRedirect = REDIRECTS.includes(response.statusCode ?? 0) && response.headers.location !== undefined
      if (isRedirect) response.resume()
      resolve(isRedirect ? undefined : answerOf(response))
    })
    request.end(body)
  })
}

function answerOf(response: IncomingMessage): Answer {
  const status = response.statusCode ?? 0
  const header = (name: string) => {
    const value = response.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }
  // The reader gets the error; before there is one it must not end the program.
  response.on('error', () => {})
  const read = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    return header('content-encoding') === 'gzip' ? promisify(gunzip)(bytes) : bytes
  }
  return {
    ok: status >= 200 && status <= 299,
    status,
    headers: { get: header },
    text: async () => (await read()).toString('utf8'),
    blob: async () => new Blob([await read()], { type: header('content-type') ?? '' }),
  }
}
