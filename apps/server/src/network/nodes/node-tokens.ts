import { DOWNLOAD_TOKEN_LIFE, type DownloadClaims, UPLOAD_TOKEN_LIFE, type UploadClaims } from '@tidenet/contract'
import { SignJWT } from 'jose'
import { newTraceId } from '../../platform/trace-ids.ts'
import type { Context } from '../context.ts'

type Needs = Pick<Context, 'keys' | 'clock'>

/** A token that one node takes an upload with, checked there offline. */
export const signUploadToken = (context: Needs, claims: Omit<UploadClaims, 'typ' | 'exp'>): Promise<string> =>
  signed(context, { typ: 'upload', ...claims }, UPLOAD_TOKEN_LIFE)

/** A token that one node serves one content with. */
export const signDownloadToken = (
  context: Needs,
  claims: Omit<DownloadClaims, 'exp'>,
  life = DOWNLOAD_TOKEN_LIFE,
): Promise<string> => signed(context, claims, life)

/** What lets somebody else than the owner in: the shared item, when it ends, and the last end noted before it was looked at. */
export interface ShareGrant {
  target: string
  expires: Date | null
  ended: number
}

/**
 * The address of a content at one node, for somebody who downloads it. Audits and proofs use the same: a node that could tell them
 * apart could be honest to them alone.
 */
export async function readerAddress(
  context: Needs,
  node: { id: string; url: string },
  reading: { cid: string; account: string; traceId: string; name: string; share?: ShareGrant },
): Promise<{ url: string; token: string }> {
  const { cid, account: sub, traceId: tid, name, share } = reading
  const claims = { typ: 'download', aud: node.id, cid, sub, tid } as const
  // No token outlives what it was given for.
  const left = share?.expires ? share.expires.getTime() - context.clock.now() : DOWNLOAD_TOKEN_LIFE
  const token = await signDownloadToken(
    context,
    { ...claims, ...(share && { share: share.target, ended: share.ended }) },
    Math.min(DOWNLOAD_TOKEN_LIFE, left),
  )
  return { url: `${node.url}/ipfs/${cid}?token=${token}&filename=${encodeURIComponent(name)}`, token }
}

/** For an audit: of somebody who could download the content, if there is one, and a transfer that nobody will be billed for. */
export const auditAddress = (
  context: Needs,
  { cid, node_id: id, url }: { cid: string; node_id: string; url: string },
  reader?: { account: string; name: string },
): Promise<{ url: string; token: string }> => {
  const reading = { cid, account: `temp:${cid}`, name: cid, ...reader, traceId: newTraceId() }
  return readerAddress(context, { id, url }, reading)
}

function signed({ keys, clock }: Needs, claims: Record<string, unknown>, life: number): Promise<string> {
  // Read once: tokens of the same life must not differ by a second.
  const now = clock.now()
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.nodeTokenPublic.kid })
    .setIssuer('tidenet')
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + life) / 1000))
    .sign(keys.nodeToken)
}
