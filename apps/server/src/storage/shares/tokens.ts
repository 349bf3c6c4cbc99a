import { createHmac } from 'node:crypto'
import { LINK_PROOF_LIFE, SHARE_TOKEN_LIFE, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import type { Context } from '../context.ts'
import type { LinkRow } from '../links/links.ts'

type Deps = Pick<Context, 'keys' | 'clock'>
/** `emails`: of a short link that is limited to e-mail addresses. */
type LinkVersion = Pick<LinkRow, 'id' | 'updated_at'> & { emails?: readonly string[] | null }

/** What tokens contain for an e-mail address: they are parts of addresses, which logs may contain. */
const hashEmail = ({ pepper }: Context['keys'], email: string): string =>
  createHmac('sha256', pepper).update(`link for ${email}`).digest('base64url')

/** Instead of an address: the owner of the link. */
export const OWNER = '*'

/**
 * Signs a share token: access to this link for an hour, unless its terms change.
 * @param email the address that was proven, or `OWNER`; needed by a link that is limited to addresses
 */
export function signShareToken({ keys, clock }: Deps, link: LinkVersion, email?: string): Promise<string> {
  return new SignJWT({ ver: link.updated_at.getTime(), ...(email && { eml: hashEmail(keys, email) }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(link.id)
    .setIssuer('tidenet')
    .setAudience('share')
    .setIssuedAt(Math.floor(clock.now() / 1000))
    .setExpirationTime(Math.floor((clock.now() + SHARE_TOKEN_LIFE) / 1000))
    .sign(keys.shareToken)
}

/** Verifies a share token. @returns whether it opens a link; always false for an invalid token */
export async function readShareToken(
  { keys, clock }: Deps,
  token: string | undefined,
): Promise<(link: LinkVersion) => boolean> {
  if (!token) return () => false
  try {
    const { payload } = await jwtVerify(token, keys.shareToken, {
      algorithms: ['HS256'],
      issuer: 'tidenet',
      audience: 'share',
      currentDate: new Date(clock.now()),
    })
    const isFor = (email: string) => payload.eml === hashEmail(keys, email)
    const isOf = (link: LinkVersion) => payload.sub === link.id && payload.ver === link.updated_at.getTime()
    return (link) => isOf(link) && (!link.emails || [OWNER, ...link.emails].some(isFor))
  } catch {
    return () => false
  }
}

/** Signs that a visitor proved an e-mail address for this link. It opens nothing: `findProven` compares it with the link's addresses. */
export function signEmailProof({ keys, clock }: Deps, linkId: string, email: string): Promise<string> {
  return new SignJWT({ eml: hashEmail(keys, email) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(linkId)
    .setIssuer('tidenet')
    .setAudience('link e-mail')
    .setExpirationTime(Math.floor((clock.now() + LINK_PROOF_LIFE) / 1000))
    .sign(keys.shareToken)
}

/** The address of a link that a proof proves; undefined if it proves none, or none that the link has by now. */
export async function findProven(
  { keys, clock }: Deps,
  link: { id: string; emails: readonly string[] | null },
  proof: string | undefined,
): Promise<string | undefined> {
  if (!proof) return undefined
  try {
    const { payload } = await jwtVerify(proof, keys.shareToken, {
      algorithms: ['HS256'],
      issuer: 'tidenet',
      audience: 'link e-mail',
      subject: link.id,
      currentDate: new Date(clock.now()),
    })
    return link.emails?.find((email) => payload.eml === hashEmail(keys, email))
  } catch {
    return undefined
  }
}

/** Signs that a visitor may upload by this link, for as long as an upload may take, unless the link's terms change. It opens nothing. */
export function signUploadTicket({ keys, clock }: Deps, link: LinkVersion): Promise<string> {
  return new SignJWT({ ver: link.updated_at.getTime() })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(link.id)
    .setIssuer('tidenet')
    .setAudience('link upload')
    .setExpirationTime(Math.floor((clock.now() + UPLOAD_TOKEN_LIFE) / 1000))
    .sign(keys.shareToken)
}

/** @returns the id of the link, and its version when the ticket was signed; undefined for an invalid ticket */
export async function readUploadTicket(
  { keys, clock }: Deps,
  ticket: string,
): Promise<{ linkId: string; version: number } | undefined> {
  try {
    const { payload } = await jwtVerify(ticket, keys.shareToken, {
      algorithms: ['HS256'],
      issuer: 'tidenet',
      audience: 'link upload',
      currentDate: new Date(clock.now()),
    })
    return { linkId: payload.sub ?? '', version: Number(payload.ver) }
  } catch {
    return undefined
  }
}
