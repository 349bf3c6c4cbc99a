import { SHARE_TOKEN_LIFE } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import type { Context } from '../context.ts'
import type { LinkRow } from '../links/links.ts'

type Needs = Pick<Context, 'keys' | 'clock'>
type Ticketed = Pick<LinkRow, 'id' | 'updated_at'>

/** What a visitor gets for the right password: opens this link on its present terms, for an hour. */
export function signTicket({ keys, clock }: Needs, link: Ticketed): Promise<string> {
  return new SignJWT({ ver: link.updated_at.getTime() })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(link.id)
    .setIssuer('tidenet')
    .setAudience('share')
    .setIssuedAt(Math.floor(clock.now() / 1000))
    .setExpirationTime(Math.floor((clock.now() + SHARE_TOKEN_LIFE) / 1000))
    .sign(keys.shareToken)
}

/** Reads a ticket once; the answer tells which links it opens. */
export async function readTicket(
  { keys, clock }: Needs,
  ticket: string | undefined,
): Promise<(link: Ticketed) => boolean> {
  if (!ticket) return () => false
  try {
    const { payload } = await jwtVerify(ticket, keys.shareToken, {
      algorithms: ['HS256'],
      issuer: 'tidenet',
      audience: 'share',
      currentDate: new Date(clock.now()),
    })
    return (link) => payload.sub === link.id && payload.ver === link.updated_at.getTime()
  } catch {
    return () => false
  }
}
