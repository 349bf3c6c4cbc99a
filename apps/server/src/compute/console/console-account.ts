import { randomInt } from 'node:crypto'
import type { Lang } from '@tidenet/contract'
import { lockAccountForUpdate, requireLinkedWallet } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { seal, unseal } from '../../platform/seal.ts'
import { type Context, now } from '../context.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

const LOWER = 'abcdefghijkmnopqrstuvwxyz'
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const SIGNS = '@()[{}]:'
const LENGTH = 12

/** Twelve characters with at least one of each kind, without characters that look alike. */
export function makePassword(): string {
  const pick = (from: string) => from[randomInt(from.length)] as string
  const letters = [pick(LOWER), pick(UPPER), pick(DIGITS), pick(SIGNS)]
  while (letters.length < LENGTH) letters.push(pick(LOWER + UPPER + DIGITS + SIGNS))
  for (let index = letters.length - 1; index > 0; index--) {
    const other = randomInt(index + 1)
    ;[letters[index], letters[other]] = [letters[other] as string, letters[index] as string]
  }
  return letters.join('')
}

const owner = (userId: number) => `console ${userId}`

export interface ConsoleAccount {
  password: string
  createdAt: Date
}

/** The console password of an account; undefined if there is none, or if it was encrypted with another secret. */
export async function findPassword(
  { keys }: Pick<Context, 'keys'>,
  db: Db,
  userId: number,
): Promise<ConsoleAccount | undefined> {
  const row = await db.maybe<{ password: Buffer; created_at: Date }>(sql`
    select password, created_at from console_accounts where user_id = ${userId}`)
  const password = row && unseal(keys.console, row.password, owner(userId))?.toString()
  return row && password !== undefined ? { password, createdAt: row.created_at } : undefined
}

/** @throws AppError walletRequired */
export async function consoleAccount(context: Deps, caller: Member) {
  const account = await requireLinkedWallet(context.db, caller.userId)
  const known =
    (await findPassword(context, context.db, caller.userId)) ?? (await firstPassword(context, caller.userId))
  return {
    account,
    avatar: '',
    user_name: caller.uid,
    user_email: caller.email,
    kub_pwd: known.password,
    created_at: known.createdAt.toISOString(),
  }
}

async function firstPassword(context: Deps, userId: number): Promise<ConsoleAccount> {
  const { db, keys } = context
  return db.transaction(async (tx) => {
    const at = now(context)
    await lockAccountForUpdate(tx, userId)
    const present = await findPassword(context, tx, userId)
    if (present) return present
    const password = makePassword()
    await writePassword(tx, userId, seal(keys.console, Buffer.from(password), owner(userId)), at)
    return { password, createdAt: at }
  })
}

const writePassword = (tx: Db, userId: number, sealed: Buffer, at: Date) =>
  tx.run(sql`
    insert into console_accounts (user_id, password, created_at, changed_at) values (${userId}, ${sealed}, ${at}, ${at})
    on conflict (user_id) do update set password = excluded.password, changed_at = excluded.changed_at`)

/** Sets a new password and ends all console sessions and tokens. @throws AppError walletRequired */
export async function resetPassword(
  context: Deps,
  caller: Member,
  from: { ip: string; lang: Lang },
): Promise<{ kub_pwd: string }> {
  const { db, keys } = context
  await requireLinkedWallet(db, caller.userId)
  const password = makePassword()
  await db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    await writePassword(
      tx,
      caller.userId,
      seal(keys.console, Buffer.from(password), owner(caller.userId)),
      now(context),
    )
    await endConsole(tx, caller.userId)
    await audit(tx, context, caller, from, { action: 'console.password', subject: `user:${caller.uid}` })
  })
  return { kub_pwd: password }
}

/** Ends all console sessions and tokens of an account. */
export async function endConsole(tx: Db, userId: number): Promise<void> {
  await tx.run(sql`delete from console_sessions where user_id = ${userId}`)
  await tx.run(sql`delete from console_tokens where user_id = ${userId}`)
}

/** Ends all console sessions and tokens of an account, and deletes its password. */
export async function endConsoleAccess(tx: Db, userId: number): Promise<void> {
  await endConsole(tx, userId)
  await tx.run(sql`delete from console_accounts where user_id = ${userId}`)
}

export const erased = (userId: number): Sql[] => [
  sql`delete from console_sessions where user_id = ${userId}`,
  sql`delete from console_tokens where user_id = ${userId}`,
  sql`delete from console_accounts where user_id = ${userId}`,
]
