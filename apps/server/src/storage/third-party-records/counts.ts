import type { ThirdPartyChoice } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { findChoice } from './choices-repository.ts'
import { type Counts, countReplicas } from './list-repository.ts'

export { type Counts, NO_REPLICAS } from './list-repository.ts'

/** What decides whether third parties may have an asset. */
export interface Sendable {
  areas: readonly string[]
  encrypted: boolean
  restricted_to: readonly string[] | null
}

/** The same as the condition `isAgreed`. */
export const isAgreedFor = ({ areas, encrypted, restricted_to }: Sendable, choice: ThirdPartyChoice): boolean =>
  restricted_to === null && areas.length === 0 && (choice === 'all' || (choice === 'encrypted' && encrypted))

/**
 * Numbers of third-party replicas of assets of an account. Replicas that only other accounts agreed to are not counted: they would reveal
 * that others have the content.
 */
export async function countsFor(
  db: Db,
  userId: number,
  assets: readonly (Sendable & { cid: string })[],
): Promise<Map<string, Counts>> {
  const choice = await findChoice(db, userId)
  const agreed = assets.filter((asset) => isAgreedFor(asset, choice))
  return agreed.length === 0
    ? new Map()
    : countReplicas(
        db,
        agreed.map(({ cid }) => cid),
      )
}
