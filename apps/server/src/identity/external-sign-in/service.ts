import { AppError, type Lang } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import {
  type Account,
  findCredentials,
  lockAccountForUpdate,
  openAccount,
  openUnaddressed,
} from '../accounts/accounts.ts'
import { tellOwner } from '../accounts/notices.ts'
import { countSignInMethods, findSignInMethods } from '../accounts/sign-in-methods.ts'
import { type Context, now } from '../context.ts'
import { admit, entered, type From } from '../sessions/complete-sign-in.ts'
import { logRefusal } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import { type Clients, IdentityFailed } from './clients.ts'
import { type Begun, beginFlow, hashOf } from './flows.ts'
import {
  deleteIdentity,
  findIdentities,
  findOwner,
  insertIdentity,
  lockIdentity,
  noteUse,
  type TakenFlow,
  takeHandover,
} from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

/** What the portal was handed over, and the cookie of the browser that began it. */
export interface Handover {
  code: string
  browser: string
}

const take = (context: Pick<Context, 'clock'>, tx: Db, { code, browser }: Handover, userId: number | null) =>
  takeHandover(tx, { codeHash: hashOf(code), browserHash: hashOf(browser), userId, at: now(context) })

/**
 * Signs in who has signed in at another service; the first time that opens an account. An address that the service has verified becomes the
 * account's, unless there is an account with it: that one is only ever linked by somebody who is signed in to it.
 * @throws AppError identityExpired, identityEmailTaken; secondFactorNeeded with its ticket
 */
export async function signInByIdentity(context: Deps, handover: Handover, from: From): Promise<IssuedToken> {
  const admission = await logRefusal(context, 'identity', from, async (isAbout) => {
    const result = await context.db.transaction(async (tx) => {
      const taken = await take(context, tx, handover, null)
      if (!taken) return 'identityExpired'
      await lockIdentity(tx, taken.provider, taken.subject)
      const known = await findOwner(tx, taken.provider, taken.subject)
      const user = known ?? (await openAccountOf(context, tx, taken, from))
      // An account whose address was proved elsewhere is told, too.
      isAbout(known?.id ?? (user ? null : ((await findCredentials(tx, taken.verified_email))?.id ?? null)))
      if (!user) return 'identityEmailTaken'
      await noteUse(tx, taken, now(context))
      return admit(context, tx, user, from, 'identity')
    })
    // What was handed over is spent, whether it let anybody in or not.
    if (typeof result === 'string') throw new AppError(result)
    return result
  })
  return entered(admission)
}

async function openAccountOf(
  context: Pick<Context, 'clock'>,
  tx: Db,
  taken: TakenFlow,
  from: From,
): Promise<Account | undefined> {
  const at = now(context)
  const email = taken.verified_email
  const account = email === '' ? await openUnaddressed(tx, at) : await openAccount(tx, { email, at })
  if (!account) return undefined
  await insertIdentity(tx, taken, account.id, at)
  const actor = { userId: account.id, uid: account.uid, via: 'proof' } as const
  const subject = `user:${account.uid}`
  await audit(tx, context, actor, from, { action: 'account.create', subject })
  await audit(tx, context, actor, from, { action: 'identity.add', subject, detail: { provider: taken.provider } })
  return account
}

/**
 * Begins to link an identity to the caller's account.
 * @throws AppError identityUnknown for a service that is not offered, identityAlreadyLinked, identityUnreachable
 */
export async function beginLink(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'config'> & { clients: Clients },
  caller: Member,
  input: { provider: string; redirect: string | undefined; redirectUri: string; lang: Lang; ip: string },
): Promise<Begun> {
  const provider = context.config.signInProviders.find(({ id }) => id === input.provider)
  if (!provider) throw new AppError('identityUnknown')
  const linked = await findIdentities(context.db, caller.userId)
  if (linked.some((identity) => identity.provider === provider.id)) throw new AppError('identityAlreadyLinked')
  try {
    return await beginFlow(context, provider, { ...input, userId: caller.userId })
  } catch (error) {
    if (!(error instanceof IdentityFailed)) throw error
    context.log.warn({ provider: provider.id, code: error.message }, 'a service to sign in by cannot be accessed')
    throw new AppError('identityUnreachable')
  }
}

/**
 * Links what was handed over to the account that began it.
 * @throws AppError identityExpired, identityTaken by another account, identityAlreadyLinked
 */
export async function addIdentity(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  caller: Member,
  handover: Handover,
  from: { ip: string; lang: Lang },
): Promise<void> {
  const refused = await context.db.transaction(async (tx) => {
    const taken = await take(context, tx, handover, caller.userId)
    if (!taken) return 'identityExpired'
    await lockIdentity(tx, taken.provider, taken.subject)
    await lockAccountForUpdate(tx, caller.userId)
    const owner = await findOwner(tx, taken.provider, taken.subject)
    if (owner) return owner.id === caller.userId ? undefined : 'identityTaken'
    if ((await insertIdentity(tx, taken, caller.userId, now(context))) === 0) return 'identityAlreadyLinked'
    const { provider } = taken
    await audit(tx, context, caller, from, {
      action: 'identity.add',
      subject: `user:${caller.uid}`,
      detail: { provider },
    })
    await tellOwner(context, tx, caller, from, 'identityAdded', titleOf(context, provider, from.lang))
    return undefined
  })
  if (refused) throw new AppError(refused)
}

/**
 * Takes an identity from the account.
 * @throws AppError identityUnknown, lastIdentity
 */
export async function removeIdentity(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
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
    await tellOwner(context, tx, caller, from, 'identityRemoved', titleOf(context, provider, from.lang))
  })
}

/** What people know a service as; one that is offered no more by its id. */
const titleOf = ({ config }: Pick<Context, 'config'>, id: string, lang: Lang): string =>
  config.signInProviders.find((provider) => provider.id === id)?.name[lang] ?? id

/** The identities of the caller, the first one first. */
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
