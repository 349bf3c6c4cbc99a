import { createHash } from 'node:crypto'
import { sessionProof } from '@tidenet/daemon'
import { S3Error, type SignedRequest, signingKeyOf, verifySignature } from '@tidenet/s3-wire'
import { createTransfers, type Transfers } from '@tidenet/storage/gateway'
import type { GatewayConfig, OperatorAccess, OwnAccess } from './config.ts'
import type { FindCorsRules } from './cors.ts'
import { createLru } from './lru.ts'
import { need, needAccess } from './refusals.ts'

/** Who is calling: everything that is done for the request is done with the rights of its access key. */
export interface Caller {
  transfers: Transfers
  signingKey: Uint8Array
}

export type Access = (
  signed: Pick<SignedRequest, 'accessKeyId' | 'date' | 'region' | 'service' | 'stringToSign' | 'signature'>,
  ip: string,
) => Promise<Caller>

interface Known extends Caller {
  until: number
}

/** Signing keys that are remembered: the server checks for every call whether the access key still exists. */
const KNOWN_MAX = 1000
/** Tokens are renewed before they expire. */
const RENEW_AFTER = 0.5

/** `access` proves who signed a request. It throws S3Error. */
export interface Portal {
  access: Access
  findCorsRules: FindCorsRules
}

export const createAccess = (config: Pick<GatewayConfig, 'server' | 'access'>, now: () => number): Portal =>
  'gatewaySecret' in config.access
    ? operatorAccess(config.server, config.access, now)
    : ownAccess(config.server, config.access, now)

function operatorAccess(server: string, { gatewaySecret }: OperatorAccess, now: () => number): Portal {
  const { api } = createTransfers({ url: server, token: '', fetch: withBearer(gatewaySecret) })
  const known = createLru<Known>(
    KNOWN_MAX,
    () => 1,
    () => {},
    (name) => name.split(' ', 1)[0] as string,
  )
  const findCorsRules: FindCorsRules = async (bucket, accessKeyId) => {
    if (accessKeyId === undefined) return 'unknown account'
    return need(await api.call('s3.corsOfKey', { bucket, access_key_id: accessKeyId })).rules
  }
  const access: Access = async (signed, ip) => {
    const { accessKeyId, date, region, stringToSign, signature } = signed
    const name = [accessKeyId, date, region, ip].join(' ')
    const found = known.get(name)
    if (found && found.until > now() && verifySignature(found.signingKey, stringToSign, signature)) return found
    const { token, signing_key, expires_in } = needAccess(
      await api.call('s3Access.verify', {
        access_key_id: accessKeyId,
        date,
        region,
        string_to_sign: stringToSign,
        signature,
        ip,
      }),
    )
    const caller: Known = {
      transfers: createTransfers({ url: server, token }),
      signingKey: Buffer.from(signing_key, 'hex'),
      until: now() + expires_in * 1000 * RENEW_AFTER,
    }
    known.set(name, caller)
    return caller
  }
  return { access, findCorsRules }
}

const withBearer =
  (secret: string): typeof fetch =>
  (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
    })

function ownAccess(server: string, { accessKeyId, secretAccessKey }: OwnAccess, now: () => number): Portal {
  // The portal is not asked about a wrong signature, so it must fail in the same way as an unknown id.
  const decoy = createHash('sha256').update(`decoy ${secretAccessKey}`).digest('hex')
  let session: { until: number; transfers: Promise<Transfers> } | undefined
  const open = async () => {
    const at = Math.floor(now() / 1000)
    const { api } = createTransfers({ url: server, token: '' })
    const proof = sessionProof(secretAccessKey, accessKeyId, at).toString('hex')
    const { token, expires_in } = needAccess(
      await api.call('s3Access.session', { access_key_id: accessKeyId, at, proof }),
    )
    return { transfers: createTransfers({ url: server, token }), life: expires_in * 1000 * RENEW_AFTER }
  }
  /** All requests that come while a session is opened wait for the same one: the portal limits how many are opened. */
  const current = (): Promise<Transfers> => {
    if (session && session.until > now()) return session.transfers
    const opened = open()
    const mine = { until: Number.POSITIVE_INFINITY, transfers: opened.then(({ transfers }) => transfers) }
    session = mine
    opened.then(
      ({ life }) => {
        mine.until = now() + life
      },
      () => {
        mine.until = 0
      },
    )
    return mine.transfers
  }
  const access: Access = async (signed) => {
    const signingKey = signingKeyOf(signed.accessKeyId === accessKeyId ? secretAccessKey : decoy, signed)
    if (!verifySignature(signingKey, signed.stringToSign, signed.signature)) throw new S3Error('SignatureDoesNotMatch')
    return { transfers: await current(), signingKey }
  }
  const findCorsRules: FindCorsRules = async (bucket, claimed = accessKeyId) =>
    claimed === accessKeyId ? need(await (await current()).api.call('s3.cors', { bucket })).rules : []
  return { access, findCorsRules }
}
