import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LINK_PROOF_LIFE, SHARE_TOKEN_LIFE, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LINK_VISITOR } from '../contents/possession.ts'
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

/** What a token is for. One of another kind is not accepted. */
type Audience = 'share' | 'link e-mail' | 'link upload'

/** @param life ms */
const sign = (
  { keys, clock }: Deps,
  audience: Audience,
  { subject, life, claims }: { subject: string; life: number; claims: JWTPayload },
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject)
    .setIssuer('tidenet')
    .setAudience(audience)
    .setIssuedAt(Math.floor(clock.now() / 1000))
    .setExpirationTime(Math.floor((clock.now() + life) / 1000))
    .sign(keys.shareToken)

/** @returns undefined for an invalid token */
const verify = ({ keys, clock }: Deps, audience: Audience, token: string): Promise<JWTPayload | undefined> =>
  jwtVerify(token, keys.shareToken, {
    algorithms: ['HS256'],
    issuer: 'tidenet',
    audience,
    currentDate: new Date(clock.now()),
  }).then(
    ({ payload }) => payload,
    () => undefined,
  )

/**
 * Signs a share token: access to this link for an hour, unless its terms change.
 * @param email the address that was proven, or `OWNER`; needed by a link that is limited to addresses
 */
export const signShareToken = (deps: Deps, link: LinkVersion, email?: string): Promise<string> =>
  sign(deps, 'share', {
    subject: link.id,
    life: SHARE_TOKEN_LIFE,
    claims: { ver: link.updated_at.getTime(), ...(email && { eml: hashEmail(deps.keys, email) }) },
  })

/** Verifies a share token. @returns whether it opens a link; always false for an invalid token */
export async function readShareToken(deps: Deps, token: string | undefined): Promise<(link: LinkVersion) => boolean> {
  const payload = token && (await verify(deps, 'share', token))
  if (!payload) return () => false
  const isFor = (email: string) => payload.eml === hashEmail(deps.keys, email)
  const isOf = (link: LinkVersion) => payload.sub === link.id && payload.ver === link.updated_at.getTime()
  return (link) => isOf(link) && (!link.emails || [OWNER, ...link.emails].some(isFor))
}

/** Signs that a visitor proved an e-mail address for this link. It opens nothing: `findProven` compares it with the link's addresses. */
export const signEmailProof = (deps: Deps, linkId: string, email: string): Promise<string> =>
  sign(deps, 'link e-mail', { subject: linkId, life: LINK_PROOF_LIFE, claims: { eml: hashEmail(deps.keys, email) } })

/** The address of a link that a proof proves; undefined if it proves none, or none that the link has by now. */
export async function findProven(
  deps: Deps,
  link: { id: string; emails: readonly string[] | null },
  proof: string | undefined,
): Promise<string | undefined> {
  const payload = proof && (await verify(deps, 'link e-mail', proof))
  if (!payload || payload.sub !== link.id) return undefined
  return link.emails?.find((email) => payload.eml === hashEmail(deps.keys, email))
}

/** Signs that a visitor may upload by this link, for as long as an upload may take, unless the link's terms change. It opens nothing. */
export const signUploadTicket = (deps: Deps, link: LinkVersion): Promise<string> =>
  sign(deps, 'link upload', {
    subject: link.id,
    life: UPLOAD_TOKEN_LIFE,
    claims: { ver: link.updated_at.getTime() },
  })

/** @returns the id of the link, and its version when the ticket was signed; undefined for an invalid ticket */
export async function readUploadTicket(
  deps: Deps,
  ticket: string,
): Promise<{ linkId: string; version: number } | undefined> {
  const payload = await verify(deps, 'link upload', ticket)
  return payload && { linkId: payload.sub ?? '', version: Number(payload.ver) }
}

/** Bytes of the random part of a visitor's account. */
const NONCE_BYTES = 9

/** @returns `nonce` and what only this server can compute of it and the link */
const visitorOf = ({ keys }: Pick<Deps, 'keys'>, linkId: string, nonce: string): string =>
  `${LINK_VISITOR}${nonce}${createHmac('sha256', keys.pepper).update(`upload ${nonce} by ${linkId}`).digest('base64url').slice(0, 24)}`

/** A new account for one upload by a link. Nodes cannot tell from it which uploads came by the same link. */
export const newLinkVisitor = (deps: Pick<Deps, 'keys'>, linkId: string): string =>
  visitorOf(deps, linkId, randomBytes(NONCE_BYTES).toString('base64url'))

/** Whether an account was made for an upload by this link. */
export function isLinkVisitor(deps: Pick<Deps, 'keys'>, linkId: string, account: string): boolean {
  const nonce = account.slice(LINK_VISITOR.length, LINK_VISITOR.length + (NONCE_BYTES * 4) / 3)
  const expected = Buffer.from(visitorOf(deps, linkId, nonce))
  const actual = Buffer.from(account)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
