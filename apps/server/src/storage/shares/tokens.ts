import { SHARE_TOKEN_LIFE } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import type { Context } from '../context.ts'
import type { LinkRow } from '../links/links.ts'

type Deps = Pick<Context, 'keys' | 'clock'>
type LinkVersion = Pick<LinkRow, 'id' | 'updated_at'>

/** Signs a share token: access to this link for an hour, unless its terms change. */
export function signShareToken({ keys, clock }: Deps, link: LinkVersion): Promise<string> {
  return new SignJWT({ ver: link.updated_at.getTime() })
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
    return (link) => payload.sub === link.id && payload.ver === link.updated_at.getTime()
  } catch {
    return () => false
  }
}
