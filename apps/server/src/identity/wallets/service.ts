import { AppError, type Lang, WALLET_COOLDOWN, type WalletKind } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { lockAccountForUpdate } from '../accounts/accounts.ts'
import { tellOwner } from '../accounts/notices.ts'
import { countSignInMethods, findSignInMethods } from '../accounts/sign-in-methods.ts'
import { type Context, now } from '../context.ts'
import { requireRecentAuth } from '../sessions/recent-auth.ts'
import { displayAddress, type Proof, readAddress, type WalletAddress } from './proofs.ts'
import {
  deleteWallet,
  findOwner,
  findWallets,
  insertWallet,
  lastRelease,
  lockWallet,
  noteRelease,
  releasesOf,
} from './repository.ts'
import { checkProof } from './sign-in-messages.ts'

export { findOwner, findWallets } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'portalUrl'>

const HOUR = 3_600_000

/**
 * The wallet that a text names.
 * @throws AppError walletAddress, also for a wallet of another kind than `kind`
 */
export function walletOf({ config }: Pick<Context, 'config'>, text: string, kind?: WalletKind): WalletAddress {
  const wallet = readAddress(text, config.chainPrefix)
  if (!wallet || (kind && wallet.kind !== kind)) throw new AppError('walletAddress')
  return wallet
}

/**
 * Binds a wallet whose owner has signed a text made for this account. Binding what is bound already changes nothing.
 * @throws AppError walletSignature, signInMessageExpired; walletTaken, walletAlreadyLinked, walletCooldown: said only to the wallet's owner;
 *   recentAuthRequired: what is bound lets into the account
 */
export async function bindWallet(
  context: Deps,
  caller: Member,
  wallet: WalletAddress,
  proof: Proof,
  from: { ip: string; lang: Lang; origin: string },
): Promise<void> {
  // Before the text is spent: it serves still once the owner has proved to be there.
  await requireRecentAuth(context, caller)
  const user = { id: caller.userId, uid: caller.uid }
  const fitting = await checkProof(context, { purpose: 'bind', wallet, user, ip: from.ip, origin: from.origin }, proof)
  const refused = await context.db.transaction(async (tx) => {
    // Spent whatever follows: a refusal is given back instead of thrown.
    await fitting.use(tx)
    await lockWallet(tx, wallet.address)
    await lockAccountForUpdate(tx, user.id)
    const owner = await findOwner(tx, wallet.address)
    if (owner) return owner.id === user.id ? undefined : new AppError('walletTaken')
    const others = await findWallets(tx, user.id)
    if (others.some(({ kind }) => kind === wallet.kind)) return new AppError('walletAlreadyLinked')
    const hours = await hoursToWait(context, tx, wallet, user.id)
    if (hours > 0) return new AppError('walletCooldown', { hours })
    await insertWallet(tx, { ...wallet, userId: user.id, publicKey: fitting.publicKey, at: now(context) })
    await audit(tx, context, caller, from, { action: 'wallet.bind', ...named(user.uid, wallet) })
    await tellOwner(context, tx, caller, from, 'walletAdded', displayAddress(wallet))
    return undefined
  })
  if (refused) throw refused
}

/**
 * Hours until a wallet may go to an account, 0 for at once. Both are held back for a day: the wallet from other accounts than
 * the one that gave it up, the account from other wallets of the kind. `userId` null: an account that is yet to be.
 */
export async function hoursToWait(
  { clock }: Pick<Context, 'clock'>,
  tx: Db,
  { kind, address }: WalletAddress,
  userId: number | null,
): Promise<number> {
  const released = await lastRelease(tx, { kind, address, userId })
  return released ? Math.max(0, Math.ceil((released.getTime() + WALLET_COOLDOWN - clock.now()) / HOUR)) : 0
}

/**
 * Takes a wallet from its account.
 * @param address absent: the 0x wallet, or else the only one
 * @throws AppError walletAddress, walletUnknown; lastWallet when nothing else lets into the account;
 *   recentAuthRequired: it changes how the account is entered
 */
export async function unbindWallet(
  context: Deps,
  caller: Member,
  address: string | undefined,
  from: { ip: string; lang: Lang },
): Promise<void> {
  await requireRecentAuth(context, caller)
  const asked = address === undefined ? undefined : walletOf(context, address)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const wallets = await findWallets(tx, caller.userId)
    const wallet = asked
      ? wallets.find((each) => each.address === asked.address)
      : (wallets.find(({ kind }) => kind === 'evm') ?? wallets[0])
    if (!wallet) throw new AppError('walletUnknown')
    if (!(await mayUnbind(context, tx, caller.userId))) throw new AppError('lastWallet')
    const at = now(context)
    await deleteWallet(tx, caller.userId, wallet.address)
    await noteRelease(tx, { address: wallet.address, kind: wallet.kind, userId: caller.userId, at })
    await audit(tx, context, caller, from, { action: 'wallet.unbind', ...named(caller.uid, wallet) })
    await tellOwner(context, tx, caller, from, 'walletRemoved', displayAddress(wallet))
  })
}

/** Whether something else lets into an account that has a wallet. */
async function mayUnbind({ config }: Pick<Context, 'config'>, db: Db, userId: number): Promise<boolean> {
  const providers = config.signInProviders.map(({ id }) => id)
  return countSignInMethods(await findSignInMethods(db, userId, providers)) > 1
}

const named = (uid: string, wallet: WalletAddress) => ({
  subject: `user:${uid}`,
  detail: { kind: wallet.kind, address: displayAddress(wallet) },
})

/** The wallets of an account, and when others may take their places. */
export async function bindInfo(context: Pick<Context, 'db' | 'clock' | 'config'>, caller: Member) {
  const { db, clock } = context
  const [wallets, releases] = [await findWallets(db, caller.userId), await releasesOf(db, caller.userId)]
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
    may_unbind: wallets.length > 0 && (await mayUnbind(context, db, caller.userId)),
  }
}

/**
 * The address of the account's wallet of the chain, for what needs one.
 * @throws AppError walletRequired
 */
export async function requireLinkedWallet(db: Db, userId: number): Promise<string> {
  const wallet = (await findWallets(db, userId)).find(({ kind }) => kind === 'cosmos')
  if (!wallet) throw new AppError('walletRequired')
  return wallet.address
}

/** What a profile shows of an account's wallets: the one of the chain, or else the other; empty: none. */
export async function displayedWallet(db: Db, userId: number): Promise<string> {
  const [first] = await findWallets(db, userId)
  return first ? displayAddress(first) : ''
}
