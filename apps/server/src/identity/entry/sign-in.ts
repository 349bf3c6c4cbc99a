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
import { admit, entered, type From } from '../sessions/complete-sign-in.ts'
import { logRefusal, logSignIn } from '../sessions/sign-ins.ts'
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

/** Somebody who guesses from one place is stopped soon. */
const FROM_ONE_PLACE: AttemptLimit = { kind: 'signInFrom', free: 5, firstLock: 30_000, longestLock: 3_600_000 }
/**
 * Guessing from everywhere is slowed down. Who goes on guessing keeps the password from its owner as long, at most a quarter of an hour
 * at a time; a mailed code, a wallet, a passkey or another service lets in meanwhile.
 */
const FROM_ANYWHERE: AttemptLimit = { kind: 'signIn', free: 20, firstLock: 30_000, longestLock: 900_000 }

/** Who tries one password with many accounts meets neither of those. */
const ofNetwork = ({ config }: Pick<Context, 'config'>): FailureLimit => ({
  kind: 'signInNetwork',
  max: config.wrongPasswordsPerNetwork,
  within: 3_600_000,
})

/**
 * Opens a session by a wallet's signature, a mailed code or a password: the first of them that is given.
 * @throws AppError of the wallet; AppError incomplete when there is neither; of the code; signInFailed, the same for an unknown account and a
 *   wrong password; signInLocked; secondFactorNeeded with its ticket
 */
export async function signIn(context: Deps, input: SignIn, from: From): Promise<IssuedToken> {
  if (input.sign) return signInByWallet(context, { ...input, sign: input.sign }, from)
  if (input.verify_code) return signInByCode(context, input.username, input.verify_code, from)
  if (!input.password) throw new AppError('incomplete')
  const { username, password } = input
  return oneAtATime(username, () => signInByPassword(context, username, password, from))
}

async function signInByCode(context: Deps, email: string, code: string, from: From): Promise<IssuedToken> {
  const admission = await logRefusal(context, 'code', from, async (isAbout) => {
    isAbout((await findCredentials(context.db, email))?.id ?? null)
    const fitting = await checkCode(context, 'login', email, code, from.ip)
    return context.db.transaction(async (tx) => {
      await fitting.use(tx)
      const user = await findCredentials(tx, email)
      return user && admit(context, tx, user, from, 'code')
    })
  })
  if (!admission) throw new AppError('nameNotExists')
  return entered(admission)
}

async function signInByPassword(context: Deps, email: string, password: string, from: From): Promise<IssuedToken> {
  const place = placeOf(email, from.ip)
  const [limit, network] = [ofNetwork(context), clientNetworkOf(from.ip)]
  const stopped = await countFailure(context, limit, network)
  if (stopped > 0) throw new AppError('signInLocked', { seconds: stopped })
  const seconds =
    (await countAttempt(context, FROM_ONE_PLACE, place)) || (await countAttempt(context, FROM_ANYWHERE, email))
  if (seconds > 0) {
    // Not looked at, so not wrong either.
    await uncountFailure(context.db, limit, network)
    throw new AppError('signInLocked', { seconds })
  }
  const user = await findCredentials(context.db, email)
  const fits = await verifyPassword(user?.password_hash ?? null, password)
  if (!user || !fits) {
    // For an unknown account too: both do the same work, so that the time it takes tells nobody who has one.
    await logSignIn(context, context.db, user?.id ?? null, from, { way: 'password', second: '', ok: false })
    throw new AppError('signInFailed')
  }
  await uncountFailure(context.db, limit, network)
  const admission = await logRefusal(context, 'password', from, async (isAbout) => {
    isAbout(user.id)
    return context.db.transaction(async (tx) => {
      // A reset that was carried out meanwhile wins: no session outlives it on the old password.
      if (!(await lockCredentialsForShare(tx, user.id, user.password_hash))) throw new AppError('signInFailed')
      await resetAttempts(tx, FROM_ONE_PLACE, place)
      await resetAttempts(tx, FROM_ANYWHERE, email)
      return admit(context, tx, user, from, 'password')
    })
  })
  return entered(admission)
}

/** Lifts the locks for an owner who has just proved to be it; those of other places stay. */
export async function forgetSignInTries({ db }: Pick<Context, 'db'>, email: string, ip: string): Promise<void> {
  await resetAttempts(db, FROM_ONE_PLACE, placeOf(email, ip))
  await resetAttempts(db, FROM_ANYWHERE, email)
}

const placeOf = (email: string, ip: string) => `${email} ${clientNetworkOf(ip)}`
