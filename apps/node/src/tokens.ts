import { createPublicKey, type JsonWebKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import {
  DOWNLOAD_TOKEN_LIFE,
  type DownloadClaims,
  downloadClaims,
  type JoinClaims,
  joinClaims,
  type RelayTicket,
  relayTicket,
  type UploadClaims,
  uploadClaims,
  type ViaClaims,
  viaClaims,
} from '@tidenet/contract'
import type { Clock, Logger } from '@tidenet/daemon'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import type { ZodType } from 'zod'
import type { BlockedContents } from './blocked-contents.ts'
import type { EndedShares } from './ended-shares.ts'
import { refuseBusy, refuseForeign, refuseToken } from './refusal.ts'

/** Verifies tokens signed by the server, locally. */
export interface Tokens {
  /** Throws 401 for an invalid or expired token, 403 for one of another node. */
  upload(token: string | undefined): Promise<UploadClaims>
  /** The same for joining contents. */
  join(token: string | undefined): Promise<JoinClaims>
  /** The same for downloads; verified tokens are cached. Throws 503 for a share while the node does not know which shares have
   * ended and which contents are blocked. */
  download(token: string | undefined): DownloadClaims | Promise<DownloadClaims>
  /**
   * The claims of a download token whose transfer may be over: also for an hour after it expired, and after its share ended. It gives no
   * access.
   */
  received(token: string): DownloadClaims | Promise<DownloadClaims>
  /** For passing requests of an audit on to another node. */
  via(token: string): Promise<ViaClaims>
  /** A ticket of a device that wants to be reached through this node. */
  relay(ticket: string): Promise<RelayTicket>
  setKeys(keys: readonly Record<string, unknown>[]): Promise<void>
  readonly ready: boolean
}

const REMEMBERED = 2048
/** Characters of a token. */
export const TOKEN_MAX = 4000
/** A transfer that began with a valid token may take longer than the token is valid. */
const RECEIVED_LATE_S = DOWNLOAD_TOKEN_LIFE / 1000

export function createTokens(options: {
  nodeId: string
  clock: Clock
  log: Logger
  ended: EndedShares
  blocked: BlockedContents
}): Tokens {
  const { nodeId, clock, log, ended, blocked } = options
  let keys = new Map<string, KeyObject>()
  let current = ''
  const verified = new Map<string, DownloadClaims>()

  const isSigned = (kid: string | undefined, signed: Buffer, signature: Buffer): boolean => {
    const named = kid === undefined ? undefined : keys.get(kid)
    for (const key of named ? [named] : keys.values()) if (verifySignature(null, signed, key, signature)) return true
    return false
  }
  /** Without other threads: for a small file, waiting for one would take longer than the signature. */
  const verify = (token: string | undefined, lateSeconds = 0): unknown => {
    if (!token) throw refuseToken('A token is needed.')
    if (token.length > TOKEN_MAX) throw refuseToken('The token is not valid.')
    const claims = readSigned(token, isSigned)
    if (claims?.iss !== 'tidenet' || typeof claims.exp !== 'number') throw refuseToken('The token is not valid.')
    if (claims.aud !== nodeId) throw refuseForeign('The token is for another node.')
    const at = Math.floor(clock.now() / 1000)
    if (claims.exp <= at - lateSeconds) throw refuseToken('The token has expired.')
    if (claims.nbf !== undefined && claims.nbf > at + lateSeconds) throw refuseToken('The token is not valid.')
    return claims
  }

  /** Of an account that stores something. @param foreign why a token for something else is refused */
  const readSender = <C extends UploadClaims | JoinClaims>(
    schema: ZodType<C>,
    token: string | undefined,
    foreign: string,
  ): C => {
    const claims = schema.safeParse(verify(token))
    if (!claims.success) throw refuseForeign(foreign)
    if (ended.ends(claims.data)) throw refuseToken('The account has ended.')
    return claims.data
  }

  const checkShare = (claims: DownloadClaims) => {
    if (claims.share !== undefined && !(ended.complete && blocked.complete)) throw refuseBusy()
    if (ended.ends(claims)) throw refuseToken('The share or the account has ended.')
  }
  const readDownload = async (token: string | undefined, lateSeconds?: number): Promise<DownloadClaims> => {
    const claims = downloadClaims.safeParse(verify(token, lateSeconds))
    if (!claims.success) throw refuseForeign('The token is not for downloads.')
    if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value ?? '')
    verified.set(token ?? '', claims.data)
    return claims.data
  }
  const verifyDownload = async (token: string | undefined): Promise<DownloadClaims> => {
    const claims = await readDownload(token)
    checkShare(claims)
    return claims
  }

  return {
    get ready() {
      return keys.size > 0
    },
    upload: async (token) => readSender(uploadClaims, token, 'The token is not for uploads.'),
    join: async (token) => readSender(joinClaims, token, 'The token is not for joining contents.'),
    download(token) {
      const known = verified.get(token ?? '')
      if (!known || known.exp * 1000 <= clock.now()) return verifyDownload(token)
      checkShare(known)
      return known
    },
    received(token) {
      const known = verified.get(token)
      if (known && (known.exp + RECEIVED_LATE_S) * 1000 > clock.now()) return known
      return readDownload(token, RECEIVED_LATE_S)
    },
    async via(token) {
      const claims = viaClaims.safeParse(verify(token))
      if (!claims.success) throw refuseForeign('The token is not for passing requests on.')
      return claims.data
    },
    async relay(ticket) {
      const claims = relayTicket.safeParse(verify(ticket))
      if (!claims.success) throw refuseForeign('The token is not for relays.')
      return claims.data
    },
    async setKeys(jwks) {
      const text = JSON.stringify(jwks)
      if (text === current) return
      const fresh = new Map<string, KeyObject>()
      for (const [index, jwk] of jwks.entries()) {
        try {
          const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
          if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key')
          fresh.set(typeof jwk.kid === 'string' ? jwk.kid : String(index), key)
        } catch (error) {
          log.warn({ err: error }, 'a key of the server is not usable')
        }
      }
      keys = fresh
      current = text
      // Revoked keys must also invalidate cached tokens.
      verified.clear()
    },
  }
}

/** Headers of tokens that were read recently, by their encoded form: nearly all are the same. */
const headers = new Map<string, ProtectedHeaderParameters>()
const HEADERS_MAX = 16

function readHeader(token: string): ProtectedHeaderParameters {
  const text = token.slice(0, token.indexOf('.') + 1)
  const known = headers.get(text)
  if (known) return known
  const header = decodeProtectedHeader(token)
  if (headers.size >= HEADERS_MAX) headers.delete(headers.keys().next().value ?? '')
  headers.set(text, header)
  return header
}

/** The claims of a compact JWS whose signature is valid; undefined if it is not, or if it needs extensions. */
function readSigned(
  token: string,
  isSigned: (kid: string | undefined, signed: Buffer, signature: Buffer) => boolean,
): JWTPayload | undefined {
  const end = token.lastIndexOf('.')
  try {
    const { alg, kid, crit } = readHeader(token)
    if ((alg !== 'EdDSA' && alg !== 'Ed25519') || crit !== undefined) return undefined
    const signature = Buffer.from(token.slice(end + 1), 'base64url')
    // Other spellings of the same signature would be other tokens wherever the use of a token is counted.
    if (signature.toString('base64url') !== token.slice(end + 1)) return undefined
    return isSigned(kid, Buffer.from(token.slice(0, end)), signature) ? decodeJwt(token) : undefined
  } catch {
    return undefined
  }
}
