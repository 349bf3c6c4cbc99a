import { AppError, type Lang } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import {
  type Account,
  findCredentials,
  lockAccountForUpdate,
  openAccount,
  openAccountWithoutEmail,
} from '../accounts/accounts.ts'
import { notifyOwner } from '../accounts/notices.ts'
import { countSignInMethods, findSignInMethods } from '../accounts/sign-in-methods.ts'
import { type Context, now } from '../context.ts'
import { completeSignIn, type From, sessionOf } from '../sessions/complete-sign-in.ts'
import { recordFailedSignIn } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import { type Clients, IdentityFailed } from './clients.ts'
import { type StartedFlow, startFlow } from './flows.ts'
import {
  deleteIdentity,
  type ExternalIdentity,
  findIdentities,
  findOwner,
  insertIdentity,
  lockIdentity,
  recordUse,
  useHandover,
} from './repository.ts'

export { deleteIdentitiesSince } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** The handover code, and the cookie of the browser that started the flow. */
export interface Handover {
  code: string
  browser: string
}

const redeem = (context: Pick<Context, 'clock'>, tx: Db, { code, browser }: Handover, userId: number | null) =>
  useHandover(tx, { codeHash: hashToken(code), browserHash: hashToken(browser), userId, at: now(context) })

/**
 * Signs in with a handover code; opens an account the first time, with the e-mail address if the service has verified it. If another account
 * has this address, the user must sign in to that account and link the service.
 * @throws AppError identityExpired, identityEmailTaken; secondFactorNeeded with its token
 */
export async function signInByIdentity(context: Deps, handover: Handover, from: From): Promise<IssuedToken> {
  const result = await recordFailedSignIn(context, 'identity', from, async (setUser) => {
    const outcome = await context.db.transaction(async (tx) => {
      const identity = await redeem(context, tx, handover, null)
      if (!identity) return 'identityExpired'
      await lockIdentity(tx, identity.provider, identity.subject)
      const known = await findOwner(tx, identity.provider, identity.subject)
      const user = known ?? (await openAccountOf(context, tx, identity, from))
      // The failure is also recorded for the account that has this address.
      setUser(known?.id ?? (user ? null : ((await findCredentials(tx, identity.verified_email))?.id ?? null)))
      if (!user) return 'identityEmailTaken'
      await recordUse(tx, identity, now(context))
      return completeSignIn(context, tx, user, from, 'identity')
    })
    // Thrown after the commit, because the handover code is used up in any case.
    if (typeof outcome === 'string') throw new AppError(outcome)
    return outcome
  })
  return sessionOf(result)
}

async function openAccountOf(
  context: Pick<Context, 'clock'>,
  tx: Db,
  identity: ExternalIdentity,
  from: From,
): Promise<Account | undefined> {
  const at = now(context)
  const email = identity.verified_email
  const account = email === '' ? await openAccountWithoutEmail(tx, at) : await openAccount(tx, { email, at })
  if (!account) return undefined
  await insertIdentity(tx, identity, account.id, at)
  const actor = { userId: account.id, uid: account.uid, via: 'proof' } as const
  const subject = `user:${account.uid}`
  await audit(tx, context, actor, from, { action: 'account.create', subject })
  await audit(tx, context, actor, from, { action: 'identity.add', subject, detail: { provider: identity.provider } })
  return account
}

/**
 * Starts linking an identity to the caller's account.
 * @throws AppError identityUnknown if the service is not configured, identityAlreadyLinked, identityUnreachable
 */
export async function startLinking(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'config'> & { clients: Clients },
  caller: Member,
  input: { provider: string; redirect: string | undefined; redirectUri: string; lang: Lang; ip: string },
): Promise<StartedFlow> {
  const provider = context.config.signInProviders.find(({ id }) => id === input.provider)
  if (!provider) throw new AppError('identityUnknown')
  const linked = await findIdentities(context.db, caller.userId)
  if (linked.some((identity) => identity.provider === provider.id)) throw new AppError('identityAlreadyLinked')
  try {
    return await startFlow(context, provider, { ...input, userId: caller.userId })
  } catch (error) {
    if (!(error instanceof IdentityFailed)) throw error
    context.log.warn({ provider: provider.id, code: error.message }, 'an external sign-in service is unreachable')
    throw new AppError('identityUnreachable')
  }
}

/**
 * Links the identity to the account that started the flow.
 * @throws AppError identityExpired, identityTaken by another account, identityAlreadyLinked
 */
export async function addIdentity(
  context: Deps & Pick<Context, 'config'>,
  caller: Member,
  handover: Handover,
  from: { ip: string; lang: Lang },
): Promise<void> {
  const refused = await context.db.transaction(async (tx) => {
    const identity = await redeem(context, tx, handover, caller.userId)
    if (!identity) return 'identityExpired'
    await lockIdentity(tx, identity.provider, identity.subject)
    await lockAccountForUpdate(tx, caller.userId)
    const owner = await findOwner(tx, identity.provider, identity.subject)
    if (owner) return owner.id === caller.userId ? undefined : 'identityTaken'
    if ((await insertIdentity(tx, identity, caller.userId, now(context))) === 0) return 'identityAlreadyLinked'
    const { provider } = identity
    await audit(tx, context, caller, from, {
      action: 'identity.add',
      subject: `user:${caller.uid}`,
      detail: { provider },
    })
    await notifyOwner(context, tx, caller, from, 'identityAdded', titleOf(context, provider, from.lang))
    return undefined
  })
  if (refused) throw new AppError(refused)
}

/** @throws AppError identityUnknown, lastIdentity */
export async function removeIdentity(
  context: Deps & Pick<Context, 'config'>,
  caller: Member,
  provider: string,
  from: { ip: string; lang: Lang },
): Promise<void> {
  const providers = context.config.signInProviders.map(({ id }) => id)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if ((await deleteIdentity(tx, caller.userId, provider)) === 0) throw new AppError('identityUnknown')
    if (countSignInMethods(await findSignInMethods(tx, caller.userId, providers)) === 0)
      throw new AppError('lastIdentity')
    const subject = `user:${caller.uid}`
    await audit(tx, context, caller, from, { action: 'identity.remove', subject, detail: { provider } })
    await notifyOwner(context, tx, caller, from, 'identityRemoved', titleOf(context, provider, from.lang))
  })
}

/** The name of a service, or its id if it is no longer configured. */
const titleOf = ({ config }: Pick<Context, 'config'>, id: string, lang: Lang): string =>
  config.signInProviders.find((provider) => provider.id === id)?.name[lang] ?? id

/** Oldest first. */
export async function listIdentities({ db }: Pick<Context, 'db'>, caller: Member) {
  const rows = await findIdentities(db, caller.userId)
  return {
    identities: rows.map(({ provider, name, email, created_at, used_at }) => ({
      provider,
      name,
      email,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? '',
    })),
  }
}
