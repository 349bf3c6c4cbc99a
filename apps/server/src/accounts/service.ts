import { randomBytes } from 'node:crypto'
import { AppError } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import type { Member } from '../sessions/callers.ts'
import { endAllSessions } from '../sessions/tokens.ts'
import { limitsOf } from '../usage/limits.ts'
import { checkCode } from './codes.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { findProfile, insertUser, setPassword } from './repository.ts'
import { forgetSignInTries } from './sign-in.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>

interface NewPassword {
  username: string
  password: string
  verify_code: string
}

/**
 * Opens an account for whoever reads the mail of this address.
 * @throws AppError of the password's rules, of the code, or emailExists: said only to who holds the code
 */
export async function register(context: Needs, input: NewPassword): Promise<void> {
  checkPassword(input.password)
  const code = await checkCode(context, 'register', input.username, input.verify_code)
  const passwordHash = await hashPassword(input.password)
  const made = await context.db.transaction(async (tx) => {
    await code.use(tx)
    return insertUser(tx, { uid: newUid(), email: input.username, passwordHash, at: now(context) })
  })
  if (!made) throw new AppError('emailExists')
}

/**
 * Sets a new password, ends all sessions and lifts the locks that wrong passwords left.
 * @throws AppError of the password's rules, of the code, or nameNotExists: said only to who holds the code
 */
export async function resetPassword(context: Needs, input: NewPassword, ip: string): Promise<void> {
  checkPassword(input.password)
  const code = await checkCode(context, 'reset', input.username, input.verify_code)
  const passwordHash = await hashPassword(input.password)
  const known = await context.db.transaction(async (tx) => {
    await code.use(tx)
    const user = await setPassword(tx, input.username, passwordHash)
    if (user) await endAllSessions(context, tx, user.id)
    return user !== undefined
  })
  if (!known) throw new AppError('nameNotExists')
  await forgetSignInTries(context, input.username, ip)
}

/** The account as its owner sees it. */
export async function profile({ db }: Pick<Context, 'db'>, caller: Member) {
  const row = await findProfile(db, caller.userId)
  if (!row) throw new AppError('userNotFound')
  return {
    uuid: row.uid,
    username: row.email ?? row.uid,
    user_email: row.email ?? '',
    wallet_address: '',
    // 0 and 1 are the wire's user and administrator.
    role: row.role === 'operator' ? 1 : 0,
    vip: row.vip,
    allocate_storage: limitsOf({ ...row, outflow_quota: null }).storage,
    created_at: row.created_at.toISOString(),
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** The public name of a new account: `u` and 80 random bits. */
const newUid = (): string => `u${[...randomBytes(16)].map((byte) => BASE32[byte % 32]).join('')}`
