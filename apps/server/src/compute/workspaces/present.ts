import type { Db } from '../../platform/db/db.ts'
import { changeOwner } from './repository.ts'

export { countPresent as countPresentWorkspaces } from './repository.ts'

/** Gives a workspace to another account. */
export const moveWorkspace = (tx: Db, id: string, userId: number): Promise<number> => changeOwner(tx, id, userId)
