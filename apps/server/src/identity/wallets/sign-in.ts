import { AppError } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import { newUid } from '../accounts/uids.ts'
import { type Context, now } from '../context.ts'
import { admit, entered, type From } from '../sessions/admit.ts'
import { logRefusal } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import { checkProof } from './nonces.ts'
import type { Proof, WalletAddress } from './proofs.ts'
import { findOwner, holdWallet, insertWallet, insertWalletUser } from './repository.ts'
import { hoursToWait, walletOf } from './service.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'portalUrl'>

interface WalletSignIn extends Proof {
  /** The wallet's address. */
  username: string
  /** The same once more; empty or absent: not said. */
  address?: string | undefined
}

/**
 * Signs in whoever holds the key of an address, and nobody else: the address that was proved is the only name looked at.
 * A wallet that has no account gets one with its first proof.
 * @throws AppError walletAddress, walletSignature, nonceExpired; walletCooldown when an account gave up the wallet today;
 *   accountLocked; secondFactorNeeded with its ticket
 */
export async function signInByWallet(context: Needs, input: WalletSignIn, from: From): Promise<IssuedToken> {
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
      await holdWallet(tx, wallet.address)
      const owner =
        (await findOwner(tx, wallet.address)) ?? (await openAccount(context, tx, wallet, fitting.publicKey, from.ip))
      return owner instanceof AppError ? owner : admit(context, tx, owner, from, 'wallet')
    })
  })
  if (result instanceof AppError) throw result
  return entered(result)
}

async function openAccount(
  context: Needs,
  tx: Db,
  wallet: WalletAddress,
  publicKey: Uint8Array | null,
  ip: string,
): Promise<{ id: number; uid: string } | AppError> {
  const hours = await hoursToWait(context, tx, wallet, null)
  if (hours > 0) return new AppError('walletCooldown', { hours })
  const [at, uid] = [now(context), newUid()]
  const { id } = await insertWalletUser(tx, uid, at)
  await insertWallet(tx, { ...wallet, userId: id, publicKey, at })
  const detail = { kind: wallet.kind }
  await audit(
    tx,
    context,
    { userId: id, uid, via: 'proof' },
    { ip },
    { action: 'account.create', subject: `user:${uid}`, detail },
  )
  return { id, uid }
}
