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

export const insertCode = (
  tx: Db,
  code: { purpose: number; address: string; network: string; hash: Buffer; resendAt: Date; expiresAt: Date },
): Promise<number> =>
  tx.run(sql`
    insert into codes (purpose, address, network, code_hash, tries, resend_at, expires_at)
    values (${code.purpose}, ${code.address}, ${code.network}, ${code.hash}, 0, ${code.resendAt}, ${code.expiresAt})
    on conflict (purpose, address, code_hash) do update
      set network = excluded.network, tries = 0, other_tries = 0, resend_at = excluded.resend_at, expires_at = excluded.expires_at`)

/** When the next code may be sent to the address; undefined: now. */
export const findResend = async (db: Db, purpose: number, address: string): Promise<Date | undefined> =>
  (
    await db.one<{ at: Date | null }>(
      sql`select max(resend_at) as at from codes where purpose = ${purpose} and address = ${address}`,
    )
  ).at ?? undefined

/** The counted attempts: those of the network that requested the code, or those of all other networks together. */
const attemptsOf = (network: string) => sql`case when network = ${network} then tries else other_tries end`

interface CodeAttempt {
  purpose: number
  address: string
  network: string
  at: Date
  maxAttempts: number
}

/** Whether this network has no attempts left for a valid code of the address. */
export const isExhausted = async (
  db: Db,
  { purpose, address, network, at, maxAttempts }: CodeAttempt,
): Promise<boolean> =>
  (
    await db.one<{ used: boolean }>(sql`
      select exists (select from codes where purpose = ${purpose} and address = ${address} and expires_at > ${at}
        and ${attemptsOf(network)} >= ${maxAttempts}) as used`)
  ).used

/**
 * Counts an attempt for each valid code that has attempts left for this network, and compares the codes.
 * The last wrong attempt of the requesting network delays the next code until `lockedUntil`. Call `lockCodes` before.
 */
export const checkCodes = (
  tx: Db,
  attempt: CodeAttempt & { hash: Buffer; lockedUntil: Date },
): Promise<{ correct: boolean; attempts: number }[]> =>
  tx.rows(sql`
    update codes set
      tries = case when network = ${attempt.network} then tries + 1 else tries end,
      other_tries = case when network = ${attempt.network} then other_tries else other_tries + 1 end,
      resend_at = case when network = ${attempt.network} and tries + 1 >= ${attempt.maxAttempts} and code_hash <> ${attempt.hash}
        then ${attempt.lockedUntil} else resend_at end
    where purpose = ${attempt.purpose} and address = ${attempt.address} and expires_at > ${attempt.at}
      and ${attemptsOf(attempt.network)} < ${attempt.maxAttempts}
    returning code_hash = ${attempt.hash} as correct, ${attemptsOf(attempt.network)} as attempts`)

/** Deletes the code and all others of the address and purpose. @returns 0 if it was used before */
export async function useCode(tx: Db, purpose: number, address: string, hash: Buffer): Promise<number> {
  await lockCodes(tx, address)
  const used = await tx.run(
    sql`delete from codes where purpose = ${purpose} and address = ${address} and code_hash = ${hash}`,
  )
  if (used > 0) await tx.run(sql`delete from codes where purpose = ${purpose} and address = ${address}`)
  return used
}

/** Expired codes are kept until the next code may be sent. */
export const expired = (at: Date): Sql[] => [
  sql`delete from code_log where id in (
    select id from code_log where sent_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from codes where (purpose, address, code_hash) in (
    select purpose, address, code_hash from codes where expires_at < ${at} and resend_at < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
]
