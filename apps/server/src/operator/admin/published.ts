import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { blockedAmong } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import { pageOfRoots } from '../../storage/index.ts'
import { findCidIn } from '../abuse/report-target.ts'
import type { Deps } from './change.ts'

type Published = (typeof contract)['admin']['published']

/** What everybody can read at the gateways of IPFS, or could if it were not blocked. @throws AppError badCid */
export async function listPublished(
  { db }: Pick<Deps, 'db'>,
  { cid, after, size }: Parsed<Published>,
): Promise<Output<Published>> {
  const asked = cid === undefined ? undefined : findCidIn(cid)
  if (cid !== undefined && asked === undefined) throw new AppError('badCid')
  const filter = { cid: asked === undefined ? undefined : readCid(asked).cid, after: idAfter(after), limit: size + 1 }
  const { list, next } = pageOf(await pageOfRoots(db, filter), size, (last) => [last.id])
  const [blocked, accounts] = await Promise.all([
    blockedAmong(
      db,
      list.map((row) => row.cid),
    ),
    accountsOf(
      db,
      list.map((row) => row.user_id),
    ),
  ])
  return {
    list: list.map(({ user_id, created_at, ...row }) => ({
      ...row,
      uid: accounts.get(user_id)?.uid ?? '',
      blocked: blocked.has(row.cid),
      published_at: created_at.toISOString(),
    })),
    cid: asked ?? '',
    next,
  }
}
