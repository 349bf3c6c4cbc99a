import { S3_TOKEN_LIFE } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import { type Context, now } from '../context.ts'

type Deps = Pick<Context, 'clock' | 'keys'>

/** API tokens of S3 access keys begin with this. */
export const S3_TOKEN_PREFIX = 'tns_'

const ALGORITHM = 'HS256'
const AUDIENCE = 's3'

/** What a token says. Whether the access key still exists is looked up for every use. */
export interface S3Token {
  accessId: string
  /** The client's address, as a gateway of the operator saw it; undefined: the caller of the API is the client. */
  address?: string
}

/** @returns a token for 15 minutes, with permissions and limits of the API key */
export async function issueS3Token({ clock, keys }: Deps, { accessId, address }: S3Token): Promise<string> {
  const at = now({ clock })
  const token = await new SignJWT(address === undefined ? {} : { ip: address })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer('tidenet')
    .setAudience(AUDIENCE)
    .setSubject(accessId)
    .setIssuedAt(at)
    .setExpirationTime(new Date(at.getTime() + S3_TOKEN_LIFE))
    .sign(keys.s3Token)
  return `${S3_TOKEN_PREFIX}${token}`
}

/** @returns undefined if it has expired or is not ours */
export async function readS3Token(context: Deps, token: string): Promise<S3Token | undefined> {
  try {
    const { payload } = await jwtVerify<{ ip?: string }>(token.slice(S3_TOKEN_PREFIX.length), context.keys.s3Token, {
      algorithms: [ALGORITHM],
      issuer: 'tidenet',
      audience: AUDIENCE,
      requiredClaims: ['exp', 'sub'],
      currentDate: now(context),
    })
    return { accessId: payload.sub as string, ...(payload.ip !== undefined && { address: payload.ip }) }
  } catch {
    return undefined
  }
}
