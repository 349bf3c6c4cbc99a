import { AppError } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Account, openUnaddressed } from '../accounts/accounts.ts'
import { type Context, now } from '../context.ts'
import { admit, entered, type From } from '../sessions/complete-sign-in.ts'
import { logRefusal } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import type { Proof, WalletAddress } from './proofs.ts'
import { findOwner, insertWallet, lockWallet } from './repository.ts'
import { hoursToWait, walletOf } from './service.ts'
import { checkProof } from './sign-in-messages.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'portalUrl'>

interface WalletSignIn extends Proof {
  /** The wallet's address. */
  username: string
  /** The same once more; empty or absent: not said. */
  address?: string | undefined
}

/**
 * Signs in whoever holds the key of an address, and nobody else: the address that was proved is the only name looked at.
 * A wallet that has no account gets one with its first proof.
 * @throws AppError walletAddress, walletSignature, signInMessageExpired; walletCooldown when an account gave up the wallet today;
 *   accountLocked; secondFactorNeeded with its ticket
 */
export async function signInByWallet(context: Deps, input: WalletSignIn, from: From): Promise<IssuedToken> {
  const wallet = walletOf(context, input.username)
  if (input.address && walletOf(context, input.address).address !== wallet.address)
    throw new AppError('walletSignature')
  const origin = from.origin ?? context.portalUrl()
  const result = await logRefusal(context, 'wallet', from, async (isAbout) => {
    isAbout((await findOwner(context.db, wallet.address))?.id ?? null)
    const fitting = await checkProof(context, { purpose: 'login', wallet, user: undefined, ip: from.ip, origin }, input)
    return context.db.transaction(async (tx) => {
      // Spent whatever follows: a refusal is given back instead of thrown.
      await fitting.use(tx)
      await lockWallet(tx, wallet.address)
      const owner =
        (await findOwner(tx, wallet.address)) ?? (await openAccountOf(context, tx, wallet, fitting.publicKey, from.ip))
      return owner instanceof AppError ? owner : admit(context, tx, owner, from, 'wallet')
    })
  })
  if (result instanceof AppError) throw result
  return entered(result)
}

async function openAccountOf(
  context: Deps,
  tx: Db,
  wallet: WalletAddress,
  publicKey: Uint8Array | null,
  ip: string,
): Promise<Account | AppError> {
  const hours = await hoursToWait(context, tx, wallet, null)
  if (hours > 0) return new AppError('walletCooldown', { hours })
  const at = now(context)
  const account = await openUnaddressed(tx, at)
  const { id, uid } = account
  await insertWallet(tx, { ...wallet, userId: id, publicKey, at })
  const detail = { kind: wallet.kind }
  await audit(
    tx,
    context,
    { userId: id, uid, via: 'proof' },
    { ip },
    { action: 'account.create', subject: `user:${uid}`, detail },
  )
  return account
}
