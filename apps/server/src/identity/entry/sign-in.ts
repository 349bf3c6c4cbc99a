import { AppError } from '@tidenet/contract'
import {
  type AttemptLimit,
  clientNetworkOf,
  countAttempt,
  countFailure,
  type FailureLimit,
  oneAtATime,
  resetAttempts,
  uncountFailure,
} from '../../platform/attempts/attempts.ts'
import { findCredentials, lockCredentialsForShare } from '../accounts/accounts.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import type { Context } from '../context.ts'
import { completeSignIn, type From, sessionOf } from '../sessions/complete-sign-in.ts'
import { recordFailedSignIn, recordSignIn } from '../sessions/sign-ins.ts'
import type { IssuedToken } from '../sessions/tokens.ts'
import { signInByWallet } from '../wallets/sign-in.ts'
import { checkCode } from './codes.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'portalUrl'>

interface SignIn {
  username: string
  password?: string | undefined
  verify_code?: string | undefined
  sign?: string | undefined
  publicKey?: string | undefined
  address?: string | undefined
}

/** Attempts for one account from one client network. */
const PER_CLIENT: AttemptLimit = { kind: 'signInFrom', free: 5, firstLock: 30_000, longestLock: 3_600_000 }
/**
 * Attempts for one account from all networks. An attacker can thereby lock the password of the owner, for at most 15 minutes at a time; other
 * sign-in methods still work.
 */
const PER_ACCOUNT: AttemptLimit = { kind: 'signIn', free: 20, firstLock: 30_000, longestLock: 900_000 }

/** Wrong passwords from one client network, for all accounts together: stops password spraying. */
const networkLimit = ({ config }: Pick<Context, 'config'>): FailureLimit => ({
  kind: 'signInNetwork',
  max: config.wrongPasswordsPerNetwork,
  within: 3_600_000,
})

/**
 * Signs in with a wallet signature, an e-mailed code or a password, in this order of precedence.
 * @throws AppError of `signInByWallet` and `checkCode`; incomplete if none is given; signInFailed, the same for an unknown account and a wrong
 *   password; signInLocked; secondFactorNeeded with its token
 */
export async function signIn(context: Deps, input: SignIn, from: From): Promise<IssuedToken> {
  if (input.sign) return signInByWallet(context, { ...input, sign: input.sign }, from)
  if (input.verify_code) return signInByCode(context, input.username, input.verify_code, from)
  if (!input.password) throw new AppError('incomplete')
  const { username, password } = input
  return oneAtATime(username, () => signInByPassword(context, username, password, from))
}

async function signInByCode(context: Deps, email: string, code: string, from: From): Promise<IssuedToken> {
  const result = await recordFailedSignIn(context, 'code', from, async (setUser) => {
    setUser((await findCredentials(context.db, email))?.id ?? null)
    const verified = await checkCode(context, 'login', email, code, from.ip)
    return context.db.transaction(async (tx) => {
      await verified.use(tx)
      const user = await findCredentials(tx, email)
      return user && completeSignIn(context, tx, user, from, 'code')
    })
  })
  if (!result) throw new AppError('nameNotExists')
  return sessionOf(result)
}

async function signInByPassword(context: Deps, email: string, password: string, from: From): Promise<IssuedToken> {
  const client = clientKey(email, from.ip)
  const [limit, network] = [networkLimit(context), clientNetworkOf(from.ip)]
  const wait = await countFailure(context, limit, network)
  if (wait > 0) throw new AppError('signInLocked', { seconds: wait })
  const seconds = (await countAttempt(context, PER_CLIENT, client)) || (await countAttempt(context, PER_ACCOUNT, email))
  if (seconds > 0) {
    // The password was not checked, so it is no failure.
    await uncountFailure(context.db, limit, network)
    throw new AppError('signInLocked', { seconds })
  }
  const user = await findCredentials(context.db, email)
  const correct = await verifyPassword(user?.password_hash ?? null, password)
  if (!user || !correct) {
    // Also for unknown accounts, so that response times do not reveal which accounts exist.
    await recordSignIn(context, context.db, user?.id ?? null, from, { method: 'password', second: '', ok: false })
    throw new AppError('signInFailed')
  }
  await uncountFailure(context.db, limit, network)
  const result = await recordFailedSignIn(context, 'password', from, async (setUser) => {
    setUser(user.id)
    return context.db.transaction(async (tx) => {
      // If the password was reset meanwhile, the old one must not open a session.
      if (!(await lockCredentialsForShare(tx, user.id, user.password_hash))) throw new AppError('signInFailed')
      await resetAttempts(tx, PER_CLIENT, client)
      await resetAttempts(tx, PER_ACCOUNT, email)
      return completeSignIn(context, tx, user, from, 'password')
    })
  })
  return sessionOf(result)
}

/** Resets the attempts for the account, from this client network and in total. */
export async function resetSignInAttempts({ db }: Pick<Context, 'db'>, email: string, ip: string): Promise<void> {
  await resetAttempts(db, PER_CLIENT, clientKey(email, ip))
  await resetAttempts(db, PER_ACCOUNT, email)
}

const clientKey = (email: string, ip: string) => `${email} ${clientNetworkOf(ip)}`
