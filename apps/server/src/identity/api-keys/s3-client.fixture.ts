import { scopeText, sessionProof, signatureOf, signingKey } from '@tidenet/daemon'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

/** An environment with a gateway of the operator, and what S3 clients and gateways send. */

export const GATEWAY_SECRET = 'g'.repeat(64)

export interface Pair {
  access_key_id: string
  secret_access_key: string
}

export const setupWithGateway = () => setup({ s3GatewaySecret: GATEWAY_SECRET })

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')

/** What a gateway makes of a request of an S3 client. */
export function signedRequest(
  env: TestEnv,
  { access_key_id, secret_access_key }: Pair,
  { region = 'us-east-1', at = env.clock.now(), ip = '203.0.113.9' } = {},
) {
  const date = dayOf(at)
  const string_to_sign = `AWS4-HMAC-SHA256\n${date}T000000Z\n${scopeText({ date, region })}\n${'0'.repeat(64)}`
  const signature = signatureOf(signingKey(secret_access_key, date, region), string_to_sign).toString('hex')
  return { access_key_id, date, region, string_to_sign, signature, ip }
}

export type SignedRequest = ReturnType<typeof signedRequest>

export const verify = (env: TestEnv, request: Partial<SignedRequest>, secret = GATEWAY_SECRET) =>
  env.call('s3Access.verify', request as SignedRequest, { token: secret })

/** What a gateway sends that runs beside its owner's programs. */
export function sessionRequest(env: TestEnv, { access_key_id, secret_access_key }: Pair, seconds = 0) {
  const at = Math.floor(env.clock.now() / 1000) + seconds
  return { access_key_id, at, proof: sessionProof(secret_access_key, access_key_id, at).toString('hex') }
}

export const createPair = async (env: TestEnv, person: Person, terms: object = {}) =>
  (await env.call('apiKeys.create', { key_name: 'k', ...terms }, person)).data

export const rotatePair = async (env: TestEnv, person: Person, overlap_hours: number) =>
  (await env.call('apiKeys.rotate', { key_name: 'k', overlap_hours }, person)).data
