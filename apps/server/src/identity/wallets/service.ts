import { AppError, type Lang, WALLET_COOLDOWN, type WalletKind } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { lockAccountForUpdate } from '../accounts/accounts.ts'
import { notifyOwner } from '../accounts/notices.ts'
import { countSignInMethods, findSignInMethods } from '../accounts/sign-in-methods.ts'
import { type Context, now } from '../context.ts'
import { requireRecentAuth } from '../sessions/recent-auth.ts'
import { displayAddress, type Proof, readAddress, type WalletAddress } from './proofs.ts'
import {
  deleteWallet,
  findLastRelease,
  findOwner,
  findReleases,
  findWallets,
  insertWallet,
  lockWallet,
  recordRelease,
} from './repository.ts'
import { checkProof } from './sign-in-messages.ts'

export { countWallets, deleteWalletsSince, findOwner, findWallets } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'portalUrl'>

const HOUR_MS = 3_600_000

/** @throws AppError walletAddress, also for a wallet of another kind than `kind` */
export function walletOf({ config }: Pick<Context, 'config'>, text: string, kind?: WalletKind): WalletAddress {
  const wallet = readAddress(text, config.chainPrefix)
  if (!wallet || (kind && wallet.kind !== kind)) throw new AppError('walletAddress')
  return wallet
}

/**
 * Links a wallet whose owner signed a message for this account. Linking it again changes nothing.
 * @throws AppError walletSignature, signInMessageExpired; walletTaken, walletAlreadyLinked, walletCooldown, only after a correct signature; recentAuthRequired
 */
export async function linkWallet(
  context: Deps,
  caller: Member,
  wallet: WalletAddress,
  proof: Proof,
  from: { ip: string; lang: Lang; origin: string },
): Promise<void> {
  // First, so that the message can still be used after the user has authenticated again.
  await requireRecentAuth(context, caller)
  const user = { id: caller.userId, uid: caller.uid }
  const verified = await checkProof(context, { purpose: 'bind', wallet, user, ip: from.ip, origin: from.origin }, proof)
  const refused = await context.db.transaction(async (tx) => {
    // Errors are returned instead of thrown, so that the message is used up in any case.
    await verified.use(tx)
    await lockWallet(tx, wallet.address)
    await lockAccountForUpdate(tx, user.id)
    const owner = await findOwner(tx, wallet.address)
    if (owner) return owner.id === user.id ? undefined : new AppError('walletTaken')
    const others = await findWallets(tx, user.id)
    if (others.some(({ kind }) => kind === wallet.kind)) return new AppError('walletAlreadyLinked')
    const hours = await cooldownHours(context, tx, wallet, user.id)
    if (hours > 0) return new AppError('walletCooldown', { hours })
    await insertWallet(tx, { ...wallet, userId: user.id, publicKey: verified.publicKey, at: now(context) })
    await audit(tx, context, caller, from, { action: 'wallet.bind', ...auditFields(user.uid, wallet) })
    await notifyOwner(context, tx, caller, from, 'walletAdded', displayAddress(wallet))
    return undefined
  })
  if (refused) throw refused
}

/**
 * Hours of the cooldown that are left; 0: the wallet can be linked. After unlinking, the wallet cannot be linked to another account for a day,
 * nor another wallet of the kind to the account. `userId` null: a new account.
 */
export async function cooldownHours(
  { clock }: Pick<Context, 'clock'>,
  tx: Db,
  { kind, address }: WalletAddress,
  userId: number | null,
): Promise<number> {
  const released = await findLastRelease(tx, { kind, address, userId })
  return released ? Math.max(0, Math.ceil((released.getTime() + WALLET_COOLDOWN - clock.now()) / HOUR_MS)) : 0
}

/**
 * @param address default: the 0x wallet, or else the only one
 * @throws AppError walletAddress, walletUnknown, recentAuthRequired; lastWallet if it is the only sign-in method
 */
export async function unlinkWallet(
  context: Deps,
  caller: Member,
  address: string | undefined,
  from: { ip: string; lang: Lang },
): Promise<void> {
  await requireRecentAuth(context, caller)
  const requested = address === undefined ? undefined : walletOf(context, address)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const wallets = await findWallets(tx, caller.userId)
    const wallet = requested
      ? wallets.find((each) => each.address === requested.address)
      : (wallets.find(({ kind }) => kind === 'evm') ?? wallets[0])
    if (!wallet) throw new AppError('walletUnknown')
    if (!(await canUnlink(context, tx, caller.userId))) throw new AppError('lastWallet')
    const at = now(context)
    await deleteWallet(tx, caller.userId, wallet.address)
    await recordRelease(tx, { address: wallet.address, kind: wallet.kind, userId: caller.userId, at })
    await audit(tx, context, caller, from, { action: 'wallet.unbind', ...auditFields(caller.uid, wallet) })
    await notifyOwner(context, tx, caller, from, 'walletRemoved', displayAddress(wallet))
  })
}

/** Whether the account has another sign-in method than this wallet. */
async function canUnlink({ config }: Pick<Context, 'config'>, db: Db, userId: number): Promise<boolean> {
  const providers = config.signInProviders.map(({ id }) => id)
  return countSignInMethods(await findSignInMethods(db, userId, providers)) > 1
}

const auditFields = (uid: string, wallet: WalletAddress) => ({
  subject: `user:${uid}`,
  detail: { kind: wallet.kind, address: displayAddress(wallet) },
})

/** The wallets of an account, and when they can be replaced. */
export async function linkedWallets(context: Pick<Context, 'db' | 'clock' | 'config'>, caller: Member) {
  const { db, clock } = context
  const [wallets, releases] = [await findWallets(db, caller.userId), await findReleases(db, caller.userId)]
  const addressOf = (kind: WalletKind) => {
    const wallet = wallets.find((each) => each.kind === kind)
    return wallet ? displayAddress(wallet) : ''
  }
  const changeAt = (kind: WalletKind) => {
    const released = releases.find((each) => each.kind === kind)
    const free = (released?.at.getTime() ?? 0) + WALLET_COOLDOWN
    return free > clock.now() ? new Date(free).toISOString() : ''
  }
  return {
    keplr: addressOf('cosmos'),
    evm: addressOf('evm'),
    email: caller.email,
    wallets: wallets.map(({ kind, address, bound_at }) => ({
      kind,
      address: displayAddress({ kind, address }),
      bound_at: bound_at.toISOString(),
    })),
    change_at: { cosmos: changeAt('cosmos'), evm: changeAt('evm') },
    may_unbind: wallets.length > 0 && (await canUnlink(context, db, caller.userId)),
  }
}

/**
 * The address of the account's chain wallet.
 * @throws AppError walletRequired if none is linked
 */
export async function requireLinkedWallet(db: Db, userId: number): Promise<string> {
  const wallet = (await findWallets(db, userId)).find(({ kind }) => kind === 'cosmos')
  if (!wallet) throw new AppError('walletRequired')
  return wallet.address
}

/** The wallet that the profile shows: the chain wallet, or else the other; empty: none. */
export async function displayedWallet(db: Db, userId: number): Promise<string> {
  const [first] = await findWallets(db, userId)
  return first ? displayAddress(first) : ''
}
