import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The entry that an import made for a pin. */
export const setPinned = (tx: Db, importId: number, assetId: number) =>
  tx.run(sql`update pins set asset_id = ${assetId} where import_id = ${importId}`)
