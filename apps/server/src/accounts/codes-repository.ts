import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Until the transaction ends nobody else counts the codes of this address and network. */
export const holdCounts = async (tx: Db, address: string, network: string): Promise<void> => {
  // Always in this order, so that two calls cannot wait for each other.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`codes to ${address}`}, 0))`)
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`codes from ${network}`}, 0))`)
}

export const countCodes = (
  tx: Db,
  address: string,
  network: string,
  since: Date,
): Promise<{ to_address: number; from_network: number }> =>
  tx.one(sql`
    select (select count(*) from code_log where address = ${address} and sent_at > ${since}) as to_address,
      (select count(*) from code_log where ip = ${network} and sent_at > ${since}) as from_network`)

export const logCode = (tx: Db, address: string, network: string, at: Date): Promise<number> =>
  tx.run(sql`insert into code_log (address, ip, sent_at) values (${address}, ${network}, ${at})`)

/** Puts the code in place unless the last one may not be replaced yet: 1 or 0. */
export const putCode = (
  tx: Db,
  code: { purpose: number; address: string; hash: Buffer; at: Date; resendAt: Date; expiresAt: Date },
): Promise<number> =>
  tx.run(sql`
    insert into codes as c (purpose, address, code_hash, tries, resend_at, expires_at)
    values (${code.purpose}, ${code.address}, ${code.hash}, 0, ${code.resendAt}, ${code.expiresAt})
    on conflict (purpose, address) do update
      set code_hash = excluded.code_hash, tries = 0, resend_at = excluded.resend_at, expires_at = excluded.expires_at
      where c.resend_at <= ${code.at}`)

export const findCode = (
  db: Db,
  purpose: number,
  address: string,
): Promise<{ tries: number; resend_at: Date; expires_at: Date } | undefined> =>
  db.maybe(sql`select tries, resend_at, expires_at from codes where purpose = ${purpose} and address = ${address}`)

/**
 * Takes one of the tries of a living code and says whether it is the right one.
 * The last wrong try puts off the next code until `lockedUntil`.
 */
export const tryCode = (
  db: Db,
  guess: { purpose: number; address: string; hash: Buffer; at: Date; tries: number; lockedUntil: Date },
): Promise<{ fits: boolean; tries: number } | undefined> =>
  db.maybe(sql`
    update codes set tries = tries + 1,
      resend_at = case when tries + 1 >= ${guess.tries} and code_hash <> ${guess.hash}
        then ${guess.lockedUntil} else resend_at end
    where purpose = ${guess.purpose} and address = ${guess.address} and tries < ${guess.tries} and expires_at > ${guess.at}
    returning code_hash = ${guess.hash} as fits, tries`)

/** 1 for the one caller who used it, 0 for everybody after. */
export const removeCode = (tx: Db, purpose: number, address: string, hash: Buffer): Promise<number> =>
  tx.run(sql`delete from codes where purpose = ${purpose} and address = ${address} and code_hash = ${hash}`)
