import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Who may use the page of this device. Any program and any web page on the machine can reach its port, so that
 * - a request must name this address as its host: a name that leads here (DNS rebinding) is refused;
 * - pages of other origins are refused, and none can send the header that everything but the page itself needs: there are no cookies;
 * - the token is in a file that only the owner of the data folder can read. A browser gets it for a code that works once.
 */
export interface Access {
  /** For the file. */
  readonly token: string
  /** Whether the request comes from this page, or from no page. */
  isOwnOrigin(request: Pick<IncomingMessage, 'headers'>): boolean
  /** Whether the request carries the token, or one that was given to a browser. */
  hasToken(request: Pick<IncomingMessage, 'headers'>): boolean
  /** A code that works once, within a minute. */
  makeCode(): string
  /** A token for the browser that has the code; undefined if it is not valid. */
  takeCode(code: string): string | undefined
}

const CODE_LIFE_MS = 60_000
const CODES_MAX = 10
const TOKENS_MAX = 50

const secret = () => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** @param port on which the page is served */
export function createAccess(port: () => number, now: () => number = Date.now): Access {
  const token = secret()
  let tokens: Buffer[] = [digest(token)]
  let codes: { digest: Buffer; until: number }[] = []
  const hosts = () => [`127.0.0.1:${port()}`, `localhost:${port()}`]

  return {
    token,
    isOwnOrigin({ headers }) {
      const { host = '', origin } = headers
      const site = headers['sec-fetch-site']
      if (!hosts().includes(host)) return false
      if (origin !== undefined && origin !== `http://${host}`) return false
      return site === undefined || site === 'same-origin' || site === 'none'
    },
    hasToken({ headers }) {
      const [, given = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
      const hash = digest(given)
      return tokens.some((known) => timingSafeEqual(known, hash))
    },
    makeCode() {
      const code = secret()
      codes = [...codes.slice(1 - CODES_MAX), { digest: digest(code), until: now() + CODE_LIFE_MS }]
      return code
    },
    takeCode(code) {
      const hash = digest(code)
      const found = codes.find((known) => known.until > now() && timingSafeEqual(known.digest, hash))
      if (!found) return undefined
      codes = codes.filter((known) => known !== found)
      const fresh = secret()
      tokens = [tokens[0] as Buffer, ...tokens.slice(1).slice(1 - TOKENS_MAX), digest(fresh)]
      return fresh
    },
  }
}
