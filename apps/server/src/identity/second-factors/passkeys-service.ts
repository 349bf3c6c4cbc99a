import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { AppError, type Lang, PASSKEYS_MAX, SECOND_FACTOR_ATTEMPTS } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { lockAccountForUpdate } from '../accounts/accounts.ts'
import { notifyOwner } from '../accounts/notices.ts'
import { countSignInMethods, findSignInMethods } from '../accounts/sign-in-methods.ts'
import { type Context, now } from '../context.ts'
import { completeSignIn, type From, findPendingSignIn, sessionOf } from '../sessions/complete-sign-in.ts'
import { requireRecentAuth } from '../sessions/recent-auth.ts'
import { recordFailedSignIn } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import {
  askForPasskey,
  challengeOf,
  checkPasskey,
  type Deps,
  relyingParty,
  storeChallenge,
  webauthn,
} from './ceremony.ts'
import { deletePasskey, findPasskeys, insertPasskey, renamePasskey, useChallenge } from './passkeys-repository.ts'
import { removeUnusedFactors } from './recovery.ts'

/**
 * Options for `navigator.credentials.create`.
 * @throws AppError recentAuthRequired, tooManyPasskeys, passkeysUnavailable
 */
export async function optionsToAdd(context: Deps, caller: Member, ip: string): Promise<{ challenge: string }> {
  const party = relyingParty(context)
  await requireRecentAuth(context, caller)
  const present = await findPasskeys(context.db, caller.userId)
  if (present.length >= PASSKEYS_MAX) throw new AppError('tooManyPasskeys', { max: PASSKEYS_MAX })
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Tidenet',
    rpID: party.id,
    userName: caller.email || caller.uid,
    userID: new Uint8Array(Buffer.from(caller.uid)),
    attestationType: 'none',
    excludeCredentials: present.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    // Each passkey is a sign-in method of its own, so it must be discoverable and verify the user.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(context, { challenge: options.challenge, purpose: 'add', userId: caller.userId, ip })
  return { ...options }
}

/** @throws AppError recentAuthRequired, passkeyRefused, passkeyExists, tooManyPasskeys, passkeysUnavailable */
export async function addPasskey(
  context: Deps,
  caller: Member,
  { name, credential }: { name: string; credential: unknown },
  from: From & { lang: Lang },
): Promise<{ id: string }> {
  const party = relyingParty(context)
  await requireRecentAuth(context, caller)
  const response = credential as RegistrationResponseJSON
  const challenge = challengeOf(response)
  const used = await useChallenge(context.db, { challenge, purpose: 'add', userId: caller.userId, at: now(context) })
  if (used === 0) throw new AppError('passkeyRefused')
  const { verifyRegistrationResponse } = await webauthn()
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified) throw new AppError('passkeyRefused')
  const { credential: passkey, credentialBackedUp } = checked.registrationInfo
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if ((await findPasskeys(tx, caller.userId)).length >= PASSKEYS_MAX)
      throw new AppError('tooManyPasskeys', { max: PASSKEYS_MAX })
    const inserted = await insertPasskey(tx, {
      id: passkey.id,
      userId: caller.userId,
      publicKey: passkey.publicKey,
      counter: passkey.counter,
      transports: (passkey.transports ?? []).slice(0, 10).map((each) => String(each).slice(0, 20)),
      name,
      synced: credentialBackedUp,
      at: now(context),
    })
    if (inserted === 0) throw new AppError('passkeyExists')
    await audit(tx, context, caller, from, {
      action: 'passkey.add',
      subject: `user:${caller.uid}`,
      detail: { passkey: passkey.id, name },
    })
    await notifyOwner(context, tx, caller, from, 'passkeyAdded')
  })
  return { id: passkey.id }
}

/** @throws AppError passkeyUnknown */
export async function changeName(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  { id, name }: { id: string; name: string },
  from: From,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if ((await renamePasskey(tx, caller.userId, id, name)) === 0) throw new AppError('passkeyUnknown')
    const detail = { passkey: id, name }
    await audit(tx, context, caller, from, { action: 'passkey.rename', subject: `user:${caller.uid}`, detail })
  })
}

/** @throws AppError recentAuthRequired, passkeyUnknown; lastPasskey if it is the only sign-in method */
export async function removePasskey(
  context: Deps & Pick<Context, 'config'>,
  caller: Member,
  id: string,
  from: From & { lang: Lang },
): Promise<void> {
  await requireRecentAuth(context, caller)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if ((await deletePasskey(tx, caller.userId, id)) === 0) throw new AppError('passkeyUnknown')
    const providers = context.config.signInProviders.map((provider) => provider.id)
    if (countSignInMethods(await findSignInMethods(tx, caller.userId, providers)) === 0)
      throw new AppError('lastPasskey')
    await removeUnusedFactors(tx, caller.userId)
    await audit(tx, context, caller, from, {
      action: 'passkey.remove',
      subject: `user:${caller.uid}`,
      detail: { passkey: id },
    })
    await notifyOwner(context, tx, caller, from, 'passkeyRemoved')
  })
}

/** @throws AppError passkeyRefused, accountLocked, passkeysUnavailable */
export async function signInByPasskey(
  context: Deps & Pick<Context, 'keys'>,
  credential: unknown,
  from: From,
): Promise<IssuedToken> {
  const result = await recordFailedSignIn(context, 'passkey', from, async (setUser) => {
    const verified = await checkPasskey(context, credential, { purpose: 'login', userId: null, setUser })
    return context.db.transaction(async (tx) => {
      await verified.use(tx)
      return completeSignIn(context, tx, { id: verified.passkey.user_id, uid: verified.passkey.uid }, from, 'passkey')
    })
  })
  return sessionOf(result)
}

/** @throws AppError signInExpired, passkeysUnavailable */
export async function secondFactorOptions(context: Deps, token: string, ip: string): Promise<{ challenge: string }> {
  const pending = await findPendingSignIn(context, token, ip, SECOND_FACTOR_ATTEMPTS)
  if (!pending) throw new AppError('signInExpired')
  const allow = await findPasskeys(context.db, pending.userId)
  return askForPasskey(context, { purpose: 'second', userId: pending.userId, allow, ip })
}

/** @throws AppError passkeyMissing, passkeysUnavailable */
export async function optionsToProve(context: Deps, caller: Member, ip: string): Promise<{ challenge: string }> {
  const allow = await findPasskeys(context.db, caller.userId)
  if (allow.length === 0) throw new AppError('passkeyMissing')
  return askForPasskey(context, { purpose: 'prove', userId: caller.userId, allow, ip })
}
