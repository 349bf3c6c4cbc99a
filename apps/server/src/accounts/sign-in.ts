import { AppError } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { forgetTries, type GuessLimit, inTurn, networkOf, takeTry } from '../sessions/attempts.ts'
import { type IssuedToken, openSession } from '../sessions/tokens.ts'
import { checkCode } from './codes.ts'
import { fitsPassword } from './passwords.ts'
import { findCredentials, holdAccount } from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>

interface SignIn {
  username: string
  password?: string | undefined
  verify_code?: string | undefined
}

interface From {
  ip: string
  agent: string
}

/** Somebody who guesses from one place is stopped soon. */
const FROM_ONE_PLACE: GuessLimit = { kind: 'signInFrom', free: 5, firstLock: 30_000, longestLock: 3_600_000 }
/** Guessing from everywhere is slowed down, but never keeps the owner out for long; a mailed code always lets in. */
const FROM_ANYWHERE: GuessLimit = { kind: 'signIn', free: 20, firstLock: 30_000, longestLock: 900_000 }

/**
 * Opens a session by mailed code or by password.
 * @throws AppError incomplete when there is neither; of the code; signInFailed, the same for an unknown account and a
 *   wrong password; signInLocked
 */
export async function signIn(context: Needs, input: SignIn, from: From): Promise<IssuedToken> {
  if (input.verify_code) return signInByCode(context, input.username, input.verify_code, from)
  if (!input.password) throw new AppError('incomplete')
  const { username, password } = input
  return inTurn(username, () => signInByPassword(context, username, password, from))
}

async function signInByCode(context: Needs, email: string, code: string, from: From): Promise<IssuedToken> {
  const fitting = await checkCode(context, 'login', email, code)
  const issued = await context.db.transaction(async (tx) => {
    await fitting.use(tx)
    const user = await findCredentials(tx, email)
    return user && openSession(context, tx, user, from)
  })
  if (!issued) throw new AppError('nameNotExists')
  return issued
}

async function signInByPassword(context: Needs, email: string, password: string, from: From): Promise<IssuedToken> {
  const place = placeOf(email, from.ip)
  const seconds = (await takeTry(context, FROM_ONE_PLACE, place)) || (await takeTry(context, FROM_ANYWHERE, email))
  if (seconds > 0) throw new AppError('signInLocked', { seconds })
  const user = await findCredentials(context.db, email)
  const fits = await fitsPassword(user?.password_hash ?? null, password)
  if (!user || !fits) throw new AppError('signInFailed')
  return context.db.transaction(async (tx) => {
    // A reset that was carried out meanwhile wins: no session outlives it on the old password.
    if (!(await holdAccount(tx, user.id, user.password_hash))) throw new AppError('signInFailed')
    await forgetTries(tx, FROM_ONE_PLACE, place)
    await forgetTries(tx, FROM_ANYWHERE, email)
    return openSession(context, tx, user, from)
  })
}

/** Lifts the locks for an owner who has just proved to be it; those of other places stay. */
export async function forgetSignInTries({ db }: Pick<Context, 'db'>, email: string, ip: string): Promise<void> {
  await forgetTries(db, FROM_ONE_PLACE, placeOf(email, ip))
  await forgetTries(db, FROM_ANYWHERE, email)
}

const placeOf = (email: string, ip: string) => `${email} ${networkOf(ip)}`
