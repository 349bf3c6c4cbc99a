import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { AppError, SECOND_FACTOR_LIFE } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import {
  type ChallengePurpose,
  dropChallenges,
  findPasskey,
  insertChallenge,
  noteUse,
  type PasskeyRow,
  useChallenge,
} from './passkeys-repository.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

export type Deps = Pick<Context, 'db' | 'clock' | 'portalUrl'>

/** A seventh of the modules that a server would read at its start: read for the first who uses a passkey. */
export const webauthn = () => import('@simplewebauthn/server')

/** @throws AppError passkeysUnavailable */
export function relyingParty({ portalUrl }: Pick<Context, 'portalUrl'>): RelyingParty {
  const party = relyingPartyOf(portalUrl())
  if (!party) throw new AppError('passkeysUnavailable')
  return party
}

/** Challenges that one network may have open for an account, or for nobody yet: with one more the one that ends first is dropped. */
const OF_A_NETWORK = 60

/** Keeps a challenge for as long as it may be answered. */
export async function keepChallenge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { ip, ...challenge }: { challenge: string; purpose: ChallengePurpose; userId: number | null; ip: string },
): Promise<void> {
  const network = clientNetworkOf(ip)
  await insertChallenge(db, { ...challenge, network, expiresAt: new Date(clock.now() + SECOND_FACTOR_LIFE) })
  await dropChallenges(db, network, challenge.userId, OF_A_NETWORK)
}

/** What a browser is asked with. `allow`: these passkeys and no other; empty: whichever the person picks. */
export async function askForPasskey(
  context: Deps,
  {
    allow,
    ...asked
  }: { purpose: ChallengePurpose; userId: number | null; allow: readonly AllowedPasskey[]; ip: string },
): Promise<{ challenge: string }> {
  const { id } = relyingParty(context)
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: id,
    allowCredentials: allow.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    userVerification: asked.purpose === 'login' ? 'required' : 'preferred',
    timeout: SECOND_FACTOR_LIFE,
  })
  await keepChallenge(context, { challenge: options.challenge, ...asked })
  return { ...options }
}

export interface AllowedPasskey {
  credential_id: string
  transports: string[]
}

/** A passkey that was shown; `use` counts it. */
export interface ShownCredential {
  passkey: PasskeyRow
  /** @throws AppError passkeyRefused when it was used elsewhere meanwhile */
  use(tx: Db): Promise<void>
}

/**
 * Checks what a browser answered: our challenge, once, at our address, signed by a passkey that we keep, whose counter goes up.
 * The challenge is spent whatever comes out.
 * @param userId whose passkey it must be; null: whoever's, which then has to have checked its holder
 * @param isAbout is told whose passkey was named, right or not
 * @throws AppError passkeyRefused, the same whatever was wrong
 */
export async function checkPasskey(
  context: Deps,
  credential: unknown,
  {
    purpose,
    userId,
    isAbout,
  }: { purpose: ChallengePurpose; userId: number | null; isAbout?: (userId: number | null) => void },
): Promise<ShownCredential> {
  const party = relyingParty(context)
  const response = credential as AuthenticationResponseJSON
  const spent = await useChallenge(context.db, {
    challenge: challengeOf(response),
    purpose,
    userId,
    at: now(context),
  })
  const passkey = await findPasskey(context.db, response.id)
  isAbout?.(passkey?.user_id ?? null)
  if (spent === 0 || !passkey || (userId !== null && passkey.user_id !== userId)) throw new AppError('passkeyRefused')
  // A passkey that was picked names its account itself; it must be the one we keep it for.
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
      if ((await noteUse(tx, use)) === 0) throw new AppError('passkeyRefused')
    },
  }
}

/** The challenge that the browser says it answered; empty when it says nothing readable. */
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

/** The account as its passkeys know it: the bytes of its public name. */
export const handleOf = (uid: string): string => Buffer.from(uid).toString('base64url')
