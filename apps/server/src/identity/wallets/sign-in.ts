import { AppError } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Account, openAccountWithoutEmail } from '../accounts/accounts.ts'
import { type Context, now } from '../context.ts'
import { completeSignIn, type From, sessionOf } from '../sessions/complete-sign-in.ts'
import { recordFailedSignIn } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import type { Proof, WalletAddress } from './proofs.ts'
import { findOwner, insertWallet, lockWallet } from './repository.ts'
import { cooldownHours, walletOf } from './service.ts'
import { checkProof } from './sign-in-messages.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'portalUrl'>

interface WalletSignIn extends Proof {
  /** The wallet's address. */
  username: string
  /** Must be equal to `username` if it is given. */
  address?: string | undefined
}

/**
 * Signs in with a wallet. The first sign-in of a wallet opens its account.
 * @throws AppError walletAddress, walletSignature, signInMessageExpired; walletCooldown if the wallet was unlinked in the last day; accountLocked;
 *   secondFactorNeeded with its token
 */
export async function signInByWallet(context: Deps, input: WalletSignIn, from: From): Promise<IssuedToken> {
  const wallet = walletOf(context, input.username)
  if (input.address && walletOf(context, input.address).address !== wallet.address)
    throw new AppError('walletSignature')
  const origin = from.origin ?? context.portalUrl()
  const result = await recordFailedSignIn(context, 'wallet', from, async (setUser) => {
    setUser((await findOwner(context.db, wallet.address))?.id ?? null)
    const verified = await checkProof(
      context,
      { purpose: 'login', wallet, user: undefined, ip: from.ip, origin },
      input,
    )
    return context.db.transaction(async (tx) => {
      // Errors are returned instead of thrown, so that the message is used up in any case.
      await verified.use(tx)
      await lockWallet(tx, wallet.address)
      const owner =
        (await findOwner(tx, wallet.address)) ?? (await openAccountOf(context, tx, wallet, verified.publicKey, from.ip))
      return owner instanceof AppError ? owner : completeSignIn(context, tx, owner, from, 'wallet')
    })
  })
  if (result instanceof AppError) throw result
  return sessionOf(result)
}

async function openAccountOf(
  context: Deps,
  tx: Db,
  wallet: WalletAddress,
  publicKey: Uint8Array | null,
  ip: string,
): Promise<Account | AppError> {
  const hours = await cooldownHours(context, tx, wallet, null)
  if (hours > 0) return new AppError('walletCooldown', { hours })
  const at = now(context)
  const account = await openAccountWithoutEmail(tx, at)
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
