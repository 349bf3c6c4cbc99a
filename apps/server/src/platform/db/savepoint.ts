import { AppError } from '@tidenet/contract'
import type { Db } from './db.ts'
import { sql } from './sql.ts'

/** Runs a part of a transaction. If it refuses with an AppError, only this part is undone. @returns its result, or the refusal */
export async function withSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T | AppError> {
  await tx.run(sql`savepoint part`)
  try {
    const result = await work()
    await tx.run(sql`release savepoint part`)
    return result
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await tx.run(sql`rollback to savepoint part`)
    return error
  }
}
