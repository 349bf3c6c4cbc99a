import { timingSafeEqual } from 'node:crypto'
import { AppError, type contract, type Output, type Parsed, S3_SESSION_SKEW, S3_TOKEN_LIFE } from '@tidenet/contract'
import { sessionProof, signatureOf, signingKey } from '@tidenet/daemon'
import { type Context, now } from '../context.ts'
import { limitsOf, refusalBy } from './member-of-key.ts'
import { secretOf } from './s3-credentials.ts'
import { findKeyOfAccessId } from './s3-repository.ts'
import { isForScope, isRecent } from './s3-scope.ts'
import { issueS3Token, type S3Token } from './s3-tokens.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>
type S3Access = (typeof contract)['s3Access']

const EXPIRES_IN = S3_TOKEN_LIFE / 1000

/**
 * Exchanges the signature of an S3 request for an API token and the signing key, with which the gateway checks what follows.
 * The caller is a gateway of the operator: whoever got a presigned URL has a signature too, and must not get a token for it.
 * @throws AppError s3Clock, s3Signature, s3KeyEnded, keyAddress
 */
export async function verifySignature(
  context: Deps,
  { access_key_id, date, region, string_to_sign, signature, ip }: Parsed<S3Access['verify']>,
): Promise<Output<S3Access['verify']>> {
  if (!isRecent(date, context.clock.now())) throw new AppError('s3Clock')
  const key = signingKey(await secretOf(context, access_key_id), date, region)
  if (
    !isSame(signatureOf(key, string_to_sign), signature) ||
    !isForScope(string_to_sign, access_key_id, { date, region })
  )
    throw new AppError('s3Signature')
  const token = await tokenFor(context, { accessId: access_key_id, address: ip }, ip)
  return { token, signing_key: key.toString('hex'), expires_in: EXPIRES_IN }
}

/**
 * Exchanges a proof of the secret for an API token, for a gateway that its owner runs.
 * @param ip the caller's address
 * @throws AppError s3Clock, s3Signature, s3KeyEnded, keyAddress
 */
export async function openS3Session(
  context: Deps,
  { access_key_id, at, proof }: Parsed<S3Access['session']>,
  ip: string,
): Promise<Output<S3Access['session']>> {
  if (Math.abs(at * 1000 - context.clock.now()) > S3_SESSION_SKEW) throw new AppError('s3Clock')
  if (!isSame(sessionProof(await secretOf(context, access_key_id), access_key_id, at), proof))
    throw new AppError('s3Signature')
  return { token: await tokenFor(context, { accessId: access_key_id }, ip), expires_in: EXPIRES_IN }
}

const isSame = (expected: Buffer, hex: string): boolean => timingSafeEqual(expected, Buffer.from(hex, 'hex'))

/**
 * Only for callers who proved that they have the secret, because the answers tell the state of the key.
 * @throws AppError s3Signature if the key was deleted; s3KeyEnded, keyAddress
 */
async function tokenFor(context: Deps, token: S3Token, ip: string): Promise<string> {
  const row = await findKeyOfAccessId(context.db, token.accessId)
  if (!row) throw new AppError('s3Signature')
  if (row.locked || row.closing_at) throw new AppError('s3KeyEnded')
  const refusal = refusalBy(limitsOf(row), ip, now(context).getTime())
  if (refusal) throw refusal.key === 'keyExpired' ? new AppError('s3KeyEnded') : refusal
  return issueS3Token(context, token)
}
