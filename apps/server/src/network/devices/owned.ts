import type { Db } from '../../platform/db/db.ts'
import { countDevices, unlinkAll } from '../nodes/owners.ts'

export const countOwnDevices = async (db: Db, userId: number): Promise<number> => (await countDevices(db, userId)).total

/** Unlinks all nodes of an account that is deleted. */
export const unlinkDevicesOf = (tx: Db, userId: number): Promise<number> => tx.run(unlinkAll(userId))
