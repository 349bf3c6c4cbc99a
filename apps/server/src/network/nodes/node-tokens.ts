import { generateKeyPairSync, randomInt, sign } from 'node:crypto'
import {
  DOWNLOAD_TOKEN_LIFE,
  type DownloadClaims,
  type JoinClaims,
  RELAY_TICKET_LIFE,
  type RelayTicket,
  UPLOAD_TOKEN_LIFE,
  type UploadClaims,
  VIA_TOKEN_LIFE,
  type ViaClaims,
} from '@tidenet/contract'
import { compactJws, jwsContent } from '../../platform/jws.ts'
import type { Context } from '../context.ts'

type Deps = Pick<Context, 'keys' | 'clock'>

/** A token for an upload to one node, which verifies it without calling the server. */
export const signUploadToken = (context: Deps, claims: Omit<UploadClaims, 'typ' | 'exp'>): Promise<string> =>
  signed(context, { typ: 'upload', ...claims }, UPLOAD_TOKEN_LIFE)

/** A token for joining contents that one node has. */
export const signJoinToken = (context: Deps, claims: Omit<JoinClaims, 'typ' | 'exp'>): Promise<string> =>
  signed(context, { typ: 'join', ...claims }, UPLOAD_TOKEN_LIFE)

/** A token for reading one content from one node. */
export const signDownloadToken = (
  context: Deps,
  claims: Omit<DownloadClaims, 'exp'>,
  life = DOWNLOAD_TOKEN_LIFE,
): Promise<string> => signed(context, claims, life)

/** The address of a content on one node, for a copy that the network makes itself: it does not count as download traffic. */
export const copyAddress = async (
  context: Deps,
  node: { id: string; url: string },
  cid: string,
  forWhom: string,
): Promise<string> => {
  const token = await signDownloadToken(context, { typ: 'pull', aud: node.id, sub: forWhom, cid, tid: '' })
  return `${node.url}/ipfs/${cid}?token=${token}`
}

/** A token for passing requests of one audit on to another node. */
export const signViaToken = (context: Deps, claims: Omit<ViaClaims, 'typ' | 'exp'>): Promise<string> =>
  signed(context, { typ: 'via', ...claims }, VIA_TOKEN_LIFE)

/** Permits a node to be reached through a relay. */
export const signRelayTicket = (context: Deps, claims: Omit<RelayTicket, 'typ' | 'exp'>): Promise<string> =>
  signed(context, { typ: 'relay', ...claims }, RELAY_TICKET_LIFE)

/** The share that lets others than the owner download: the shared item, and its expiry. */
export interface ShareGrant {
  target: string
  expires: Date | null
}

/**
 * The address of a content on one node, for a download. Audits and proofs use the same address and token, so that a node cannot answer
 * only them correctly.
 */
export async function readerAddress(
  context: Deps,
  node: { id: string; url: string },
  reading: {
    cid: string
    account: string
    traceId: string
    name: string
    share?: ShareGrant
    /** `lastEnded`, read before it was checked that the token may be issued. */
    ended: number
    /** The client's public key for what it receives. */
    receiptKey?: string | undefined
  },
): Promise<{ url: string; token: string }> {
  const { cid, account: sub, traceId: tid, name, share, ended, receiptKey: rk } = reading
  const claims = { typ: 'download', aud: node.id, cid, sub, tid, ended } as const
  // A token expires with its share.
  const left = share?.expires ? share.expires.getTime() - context.clock.now() : DOWNLOAD_TOKEN_LIFE
  const token = await signDownloadToken(
    context,
    { ...claims, ...(rk && { rk }), ...(share && { share: share.target }) },
    Math.min(DOWNLOAD_TOKEN_LIFE, left),
  )
  return { url: `${node.url}/ipfs/${cid}?token=${token}&filename=${encodeURIComponent(name)}`, token }
}

/**
 * The receipt key of a read that nobody signs. Clients that sign send one and others do not, so half of these reads have one too: a node
 * cannot recognize them by their token.
 */
export const decoyReceiptKey = (): string | undefined =>
  randomInt(2) === 0 ? undefined : generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x

/** A compact JWS, signed without other threads: answers can have hundreds of tokens, and one takes less time than handing it over. */
async function signed({ keys, clock }: Deps, claims: Record<string, unknown>, life: number): Promise<string> {
  // Read the clock once: `iat` and `exp` must not be a second off.
  const now = clock.now()
  const times = { iat: Math.floor(now / 1000), exp: Math.floor((now + life) / 1000) }
  const header = { alg: 'EdDSA', kid: keys.nodeTokenPublic.kid }
  const content = jwsContent(header, { ...claims, iss: 'tidenet', ...times })
  return compactJws(content, sign(null, Buffer.from(content), keys.nodeToken))
}
