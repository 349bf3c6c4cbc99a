import { DOWNLOAD_TOKEN_LIFE, type DownloadClaims, UPLOAD_TOKEN_LIFE, type UploadClaims } from '@tidenet/contract'
import { SignJWT } from 'jose'
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

function signed({ keys, clock }: Needs, claims: Record<string, unknown>, life: number): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.nodeTokenPublic.kid })
    .setIssuer('tidenet')
    .setIssuedAt(Math.floor(clock.now() / 1000))
    .setExpirationTime(Math.floor((clock.now() + life) / 1000))
    .sign(keys.nodeToken)
}
