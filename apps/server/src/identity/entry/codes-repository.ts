import { ago, DAY } from '../../platform/ago.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** Until the transaction ends, no other transaction sends, checks or uses codes of this address. */
export const lockCodes = (tx: Db, address: string): Promise<number> => advisoryLock(tx, `codes to ${address}`)

/** Until the transaction ends, no other transaction counts the codes of this address and client network. */
export const lockCodeCounts = async (tx: Db, address: string, network: string): Promise<void> => {
  // Always in this order, to avoid deadlocks.
  await lockCodes(tx, address)
  await advisoryLock(tx, `codes from ${network}`)
}

export const countCodes = (
  tx: Db,
  address: string,
  network: string,
  since: Date,
): Promise<{ to_address: number; from_network: number; of_both: number }> =>
  tx.one(sql`
    select (select count(*) from code_log where address = ${address} and sent_at > ${since}) as to_address,
      (select count(*) from code_log where ip = ${network} and sent_at > ${since}) as from_network,
      (select count(*) from code_log where address = ${address} and ip = ${network} and sent_at > ${since}) as of_both`)

export const logCode = (tx: Db, address: string, network: string, at: Date): Promise<number> =>
  tx.run(sql`insert into code_log (address, ip, sent_at) values (${address}, ${network}, ${at})`)

/** Adds a code to those that live. */
export const putCode = (
  tx: Db,
  code: { purpose: number; address: string; network: string; hash: Buffer; resendAt: Date; expiresAt: Date },
): Promise<number> =>
  tx.run(sql`
    insert into codes (purpose, address, network, code_hash, tries, resend_at, expires_at)
    values (${code.purpose}, ${code.address}, ${code.network}, ${code.hash}, 0, ${code.resendAt}, ${code.expiresAt})
    on conflict (purpose, address, code_hash) do update
      set network = excluded.network, tries = 0, other_tries = 0, resend_at = excluded.resend_at, expires_at = excluded.expires_at`)

/** When the address may have its next code; undefined: it had none lately. */
export const findResend = async (db: Db, purpose: number, address: string): Promise<Date | undefined> =>
  (
    await db.one<{ at: Date | null }>(
      sql`select max(resend_at) as at from codes where purpose = ${purpose} and address = ${address}`,
    )
  ).at ?? undefined

/** The tries of a code that count for a network: its own where it asked for the code, else those of all others. */
const triesOf = (network: string) => sql`case when network = ${network} then tries else other_tries end`

interface Tried {
  purpose: number
  address: string
  network: string
  at: Date
  /** How many there are. */
  tries: number
}

/** Whether a code of the address has run out of this network's tries since it was sent, within its life. */
export const isUsedUp = async (db: Db, { purpose, address, network, at, tries }: Tried): Promise<boolean> =>
  (
    await db.one<{ used: boolean }>(sql`
      select exists (select from codes where purpose = ${purpose} and address = ${address} and expires_at > ${at}
        and ${triesOf(network)} >= ${tries}) as used`)
  ).used

/**
 * Takes a try of every living code that this network may still try, and says of each whether it is the right one and how often it was tried.
 * The last wrong try of who asked for a code puts off the next one until `lockedUntil`. Deps `lockCodes`.
 */
export const tryCodes = (
  tx: Db,
  guess: Tried & { hash: Buffer; lockedUntil: Date },
): Promise<{ fits: boolean; tries: number }[]> =>
  tx.rows(sql`
    update codes set
      tries = case when network = ${guess.network} then tries + 1 else tries end,
      other_tries = case when network = ${guess.network} then other_tries else other_tries + 1 end,
      resend_at = case when network = ${guess.network} and tries + 1 >= ${guess.tries} and code_hash <> ${guess.hash}
        then ${guess.lockedUntil} else resend_at end
    where purpose = ${guess.purpose} and address = ${guess.address} and expires_at > ${guess.at}
      and ${triesOf(guess.network)} < ${guess.tries}
    returning code_hash = ${guess.hash} as fits, ${triesOf(guess.network)} as tries`)

/** 1 for the one caller who used it, 0 for everybody after. The other codes of the address for this purpose end with it. */
export async function useCode(tx: Db, purpose: number, address: string, hash: Buffer): Promise<number> {
  await lockCodes(tx, address)
  const used = await tx.run(
    sql`delete from codes where purpose = ${purpose} and address = ${address} and code_hash = ${hash}`,
  )
  if (used > 0) await tx.run(sql`delete from codes where purpose = ${purpose} and address = ${address}`)
  return used
}

/** A code that has ended may still say until when the next one waits. */
export const expired = (at: Date): Sql[] => [
  sql`delete from code_log where id in (
    select id from code_log where sent_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from codes where (purpose, address, code_hash) in (
    select purpose, address, code_hash from codes where expires_at < ${at} and resend_at < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
]
