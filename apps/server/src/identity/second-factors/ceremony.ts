import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { AppError, SECOND_FACTOR_LIFE } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import {
  type ChallengePurpose,
  deleteOldChallenges,
  findPasskey,
  insertChallenge,
  type PasskeyRow,
  recordUse,
  useChallenge,
} from './passkeys-repository.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

export type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Loaded on first use: a seventh of all modules of the server. */
export const webauthn = () => import('@simplewebauthn/server')

/** @throws AppError passkeysUnavailable */
export function relyingParty({ portalUrl }: Pick<Context, 'portalUrl'>): RelyingParty {
  const party = relyingPartyOf(portalUrl())
  if (!party) throw new AppError('passkeysUnavailable')
  return party
}

/** Open challenges per client network and account (or without account). One more removes the oldest. */
const MAX_PER_NETWORK = 60

export async function storeChallenge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { ip, ...challenge }: { challenge: string; purpose: ChallengePurpose; userId: number | null; ip: string },
): Promise<void> {
  const network = clientNetworkOf(ip)
  await insertChallenge(db, { ...challenge, network, expiresAt: new Date(clock.now() + SECOND_FACTOR_LIFE) })
  await deleteOldChallenges(db, network, challenge.userId, MAX_PER_NETWORK)
}

/** Options for `navigator.credentials.get`. `allow`: the accepted passkeys; empty: the user picks one. */
export async function askForPasskey(
  context: Deps,
  {
    allow,
    ...request
  }: { purpose: ChallengePurpose; userId: number | null; allow: readonly AllowedPasskey[]; ip: string },
): Promise<{ challenge: string }> {
  const { id } = relyingParty(context)
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: id,
    allowCredentials: allow.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    userVerification: request.purpose === 'login' ? 'required' : 'preferred',
    timeout: SECOND_FACTOR_LIFE,
  })
  await storeChallenge(context, { challenge: options.challenge, ...request })
  return { ...options }
}

export interface AllowedPasskey {
  credential_id: string
  transports: string[]
}

export interface VerifiedPasskey {
  passkey: PasskeyRow
  /** Updates the counter. @throws AppError passkeyRefused if the passkey was used meanwhile */
  use(tx: Db): Promise<void>
}

/**
 * Verifies an assertion: our challenge and origin, a registered passkey, and a higher counter. Uses up the challenge in any case.
 * @param userId the owner of the passkey; null: any account, and user verification is required
 * @param setUser called with the owner of the claimed passkey, before it is verified
 * @throws AppError passkeyRefused, the same for all causes
 */
export async function checkPasskey(
  context: Deps,
  credential: unknown,
  {
    purpose,
    userId,
    setUser,
  }: { purpose: ChallengePurpose; userId: number | null; setUser?: (userId: number | null) => void },
): Promise<VerifiedPasskey> {
  const party = relyingParty(context)
  const response = credential as AuthenticationResponseJSON
  const used = await useChallenge(context.db, {
    challenge: challengeOf(response),
    purpose,
    userId,
    at: now(context),
  })
  const passkey = await findPasskey(context.db, response.id)
  setUser?.(passkey?.user_id ?? null)
  if (used === 0 || !passkey || (userId !== null && passkey.user_id !== userId)) throw new AppError('passkeyRefused')
  // A discoverable passkey contains its account, which must be ours.
  const { userHandle } = response.response
  if (userHandle !== undefined && userHandle !== null && handleOf(passkey.uid) !== userHandle)
    throw new AppError('passkeyRefused')
  const { verifyAuthenticationResponse } = await webauthn()
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challengeOf(response),
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: userId === null,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(() => undefined)
  if (!checked?.verified) throw new AppError('passkeyRefused')
  return {
    passkey,
    async use(tx) {
      const use = {
        id: passkey.credential_id,
        before: passkey.counter,
        counter: checked.authenticationInfo.newCounter,
        at: now(context),
      }
      if ((await recordUse(tx, use)) === 0) throw new AppError('passkeyRefused')
    },
  }
}

/** The challenge in the client data; empty if it cannot be parsed. */
export function challengeOf(response: { response: { clientDataJSON?: unknown } }): string {
  try {
    const { clientDataJSON } = response.response
    const { challenge } = JSON.parse(Buffer.from(String(clientDataJSON), 'base64url').toString()) as {
      challenge?: unknown
    }
    return typeof challenge === 'string' ? challenge.slice(0, 200).replaceAll('\0', '') : ''
  } catch {
    return ''
  }
}

/** The user handle of passkeys: the bytes of the uid. */
export const handleOf = (uid: string): string => Buffer.from(uid).toString('base64url')
